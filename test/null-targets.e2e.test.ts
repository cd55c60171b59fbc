/**
 * Null controls, the way a user meets them: whatever answers at the address and is no service ends the run with exit 1
 * or 2, a first line that says what is wrong and where, and soon; and never with a claim that holds.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen, nullTargets } from './servers/null-targets.ts';
import { cli, KEY, temporaryDirectory } from './support/cli.ts';
import { idsWith, readReport } from './support/report.ts';

const SOON_MS = 30_000;
const env = { PROOFLOAD_ACCESS_KEY: KEY };

/** With the model told, a service without a list of models gets as far as it can. */
const interfaces: Readonly<Record<string, readonly string[]>> = {
  'interface A': ['--model', 'acme/base-70b', '--base-url'],
  'interface B': ['--inst-id', 'inst-1', '--workers-max', '3', '--dedicated', '--job-base-url'],
};

/** The last of them never answer: waiting for those begins first, and the others are asked meanwhile. */
const cases = Object.keys(nullTargets)
  .reverse()
  .flatMap((name) => Object.keys(interfaces).map((side) => [name, side] as const));

test.concurrent.for(cases)('%s is not %s', { timeout: 2 * SOON_MS }, async ([name, side], context) => {
  const { server, url } = await listen(nullTargets[name] ?? (() => {}));
  const out = join(temporaryDirectory(), 'run');
  const began = performance.now();
  try {
    const ended = await cli(['verify', ...(interfaces[side] ?? []), url, '--out', out], { env });
    const tookMs = performance.now() - began;
    context.expect([1, 2]).toContain(ended.code);
    const [first = ''] = `${ended.stderr}${ended.stdout}`.split('\n');
    context.expect(first).toContain(url);
    context
      .expect(first)
      .toMatch(/^proofload: .*(does not answer|is not interface|rejected the key|no model|no instance)/);
    context.expect(tookMs).toBeLessThan(SOON_MS);
    const written = readdirSync(join(out, '..'), { recursive: true }).some((one) =>
      String(one).endsWith('results.json'),
    );
    if (written) context.expect(idsWith(await readReport(out), 'pass')).toEqual([]);
  } finally {
    server.close();
  }
});

test('there is a control for every way of being no service', () => {
  expect(Object.keys(nullTargets).length).toBeGreaterThanOrEqual(14);
});
