/**
 * The second implementation, which keeps the documentation and differs from the reference wherever it may: nothing in
 * it is broken. With three faults planted, exactly those are found, although the suite was never fitted to it.
 */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { limits } from '../schemas/limits.ts';
import { type PlainOptions, servePlain } from './servers/plain.ts';
import { cli, temporaryDirectory } from './support/cli.ts';
import { idsWith, readReport } from './support/report.ts';

const KEY = 'key-of-the-plain-server';
let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
});

async function verify(args: readonly string[], values: PlainOptions['values'] = {}) {
  const served = await servePlain({ accessKey: KEY, instances: { main: 3 }, values });
  close = served.close;
  const cwd = temporaryDirectory();
  const target = ['--base-url', served.url, '--job-base-url', served.url, '--inst-id', 'main', '--workers-max', '3'];
  const run = await cli([...args, ...target, '--dedicated', '--out', 'out'], {
    cwd,
    env: { PROOFLOAD_ACCESS_KEY: KEY },
  });
  return { run, results: await readReport(join(cwd, 'out')) };
}

test('its contract holds, conventions aside', async () => {
  const { run, results } = await verify(['conformance']);
  expect([idsWith(results, 'fail'), idsWith(results, 'error'), run.code]).toEqual([[], [], 0]);
  expect(idsWith(results, 'warn').length).toBeGreaterThan(10);
});

test('its limits hold, measured to the unit where overlap can be proven', async () => {
  const { run, results } = await verify(['load', '--only', '*.concurrency.*,*.payload.*']);
  expect([idsWith(results, 'fail'), idsWith(results, 'error'), run.code]).toEqual([[], [], 0]);
  const measured = (id: string) => results.limits.find((row) => row.id === id)?.measured;
  for (const id of ['inference.concurrency', 'runsync.concurrency', 'status.concurrency']) {
    const value = limits.find((limit) => limit.id === id)?.value;
    expect(measured(id), id).toEqual({ lower: value, upper: value });
  }
  expect(measured('run.concurrency')).toBeNull();
});

test('three faults are found, and nothing else', async () => {
  const values = { 'runsync.concurrency': 350, 'run.payload': 8_000_000, 'status.concurrency': 'off' } as const;
  const { run, results } = await verify(
    ['load', '--only', 'run*.concurrency.*,status.concurrency.*,*.payload.*'],
    values,
  );
  expect(run.code).toBe(1);
  expect(idsWith(results, 'fail')).toEqual([
    'run.payload.guarantee',
    'runsync.concurrency.guarantee',
    'status.concurrency.enforced',
  ]);
});
