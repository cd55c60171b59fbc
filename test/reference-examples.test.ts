/** The examples of docs/reference.md do what the text beside them says, on a virtual clock. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReferenceOptions } from '../reference/options.ts';
import { field, harness, KEY } from '../reference/testing/harness.ts';
import { parseArguments } from '../scripts/cli/arguments.ts';
import { readReferenceOptions } from '../scripts/cli/reference-settings.ts';
import { packageRoot } from '../scripts/package.ts';

const text = readFileSync(join(packageRoot(), 'docs', 'reference.md'), 'utf8');

/** The options of the example below a heading, with the tests' key; `last` of several commands. */
async function example(heading: string, which: 'first' | 'last' = 'first'): Promise<ReferenceOptions> {
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const lines = [...section.matchAll(/^npx proofload (serve .*)$/gm)].map(([, words = '']) => words);
  const invocation = await parseArguments((lines.at(which === 'first' ? 0 : -1) ?? '').split(' '));
  if (invocation.kind !== 'run') throw new Error(`no command below '${heading}'`);
  return { ...readReferenceOptions(invocation.flags, {}), accessKeys: [KEY] };
}

const hello = { model: 'acme/base-70b', messages: [{ role: 'user', content: 'Hello' }] };
const times = <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, one));

/** `curl` lines that send a body: where to, with which headers, and the body. */
const posts = [...text.replaceAll('\\\n', '').matchAll(/^curl http:\/\/127\.0\.0\.1:8080(\S+) (.*) -d '(.*)'$/gm)].map(
  ([, path = '', flags = '', body = '']) => ({
    path,
    headers: Object.fromEntries([...flags.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value])),
    body,
  }),
);

test('there are requests to try', () => expect(posts.length).toBe(text.match(/ -d '/g)?.length));

test.each(posts)('curl $path', async ({ path, headers, body }) => {
  const { service } = harness({ accessKeys: ['proofload-local'] });
  const request = new Request(`http://reference${path}`, { method: 'POST', headers, body });
  expect((await service.handle(request, { address: '192.0.2.1' })).status).toBe(200);
});

test('a slow endpoint', async () => {
  const { request, clock } = harness(await example('A slow endpoint'));
  const before = clock.now();
  expect((await request('/v1/models')).status).toBe(200);
  expect(clock.now() - before).toBe(300);
  const requested = clock.now();
  await request('/v1/chat/completions', { method: 'POST', body: { ...hello, max_tokens: 1 } });
  expect(clock.now() - requested).toBeGreaterThanOrEqual(1300);
  expect(clock.now() - requested).toBeLessThanOrEqual(3300 + 180);
});

test('a token bucket: five at once, then one each 200 ms', async () => {
  const { job, clock } = harness(await example('A token bucket'));
  const submit = () => job('run', { body: { input: 1 } });
  const burst = await times(7, submit);
  expect(burst.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect(burst.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  await clock.sleep(200);
  expect((await times(2, submit)).map(({ status }) => status).sort()).toEqual([200, 429]);
});

test('no limits, and all but one', async () => {
  const all = harness(await example('No limits'));
  const purges = await times(20, () => all.job('purge-queue'));
  expect(new Set(purges.map(({ status }) => status))).toEqual(new Set([200]));
  const one = harness({ ...(await example('No limits', 'last')), latencyMs: 100 });
  const cancels = await times(2, () => one.job('cancel', { jobId: 'none' }));
  expect(cancels.map(({ status }) => status).sort()).toEqual([404, 429]);
});

test('a short retention', async () => {
  const { submit, stateOf, clock } = harness(await example('A short retention'));
  const id = await submit({ echo: 1 });
  await clock.sleep(1900);
  expect(await stateOf(id)).toBe('COMPLETED');
  await clock.sleep(200);
  expect(await stateOf(id)).toBe(404);
});

test('killing an instance ends its stream with an error event, and another one comes', async () => {
  const { request, clock } = harness({ ...(await example('Killing an instance')), interTokenMs: 1000 });
  const streamed = request('/v1/chat/completions', { method: 'POST', body: { ...hello, stream: true } });
  await clock.sleep(1500);
  expect((await request('/_reference/instances/inference-1/fail', { method: 'POST' })).status).toBe(200);
  const { text: events } = await streamed;
  expect(events).toContain('"delta"');
  expect(events).toMatch(/^data: \{"error"/m);
  const states = async () => field((await request('/_reference/instances')).body, 'instances', 0, 'state');
  expect(await states()).toBe('failed');
  await clock.sleep(10_000);
  expect(await states()).toBe('healthy');
});
