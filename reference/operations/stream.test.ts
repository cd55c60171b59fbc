/** stream: who gets which chunk, how long a call waits, and chunks too long for one piece. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Handler } from '../jobs/handler.ts';
import { specRules } from '../rules.ts';
import { field, type Harness, harness } from '../testing/harness.ts';

const outputs = (body: unknown): unknown[] => [field(body, 'stream')].flat().map((item) => field(item, 'output'));

/** Streams until the job is over; every answer's chunks. */
async function streamed({ job }: Harness, jobId: string, query = ''): Promise<unknown[][]> {
  const answers: unknown[][] = [];
  for (;;) {
    const { body } = await job('stream', { jobId, query });
    answers.push(outputs(body));
    if (!String(field(body, 'status')).startsWith('IN_')) return answers;
  }
}

test('two who stream one job get disjoint chunks, together all, each in order', async () => {
  const one = fc.record({ chunks: fc.nat(12), chunk_delay_ms: fc.nat(300), delay_ms: fc.nat(500) });
  const waits = fc.constantFrom('', '?wait=100', '?wait=1000');
  await fc.assert(
    fc.asyncProperty(one, waits, waits, async (input, first, second) => {
      const made = harness({ limiter: 'off' });
      const jobId = await made.submit(input);
      const both = await Promise.all([streamed(made, jobId, first), streamed(made, jobId, second)]);
      const [mine, yours] = both.map((answers) => answers.flat().map((chunk) => Number(field(chunk, 'chunk'))));
      const ascending = (list: number[] = []): number[] => [...list].sort((a, b) => a - b);
      expect(mine).toEqual(ascending(mine));
      expect(yours).toEqual(ascending(yours));
      expect(ascending([...(mine ?? []), ...(yours ?? [])])).toEqual(Array.from({ length: input.chunks }, (_, n) => n));
    }),
    { numRuns: 60 },
  );
});

test('a call whose chunk was taken by another waits on for the next', async () => {
  const made = harness();
  const jobId = await made.submit({ chunks: 2, chunk_delay_ms: 1000 });
  const start = made.clock.now();
  const calls = [0, 1].map(async () => {
    const { body } = await made.job('stream', { jobId });
    return [made.clock.now() - start, outputs(body)];
  });
  expect(await Promise.all(calls)).toEqual([
    [1000, [{ chunk: 0 }]],
    [2000, [{ chunk: 1 }]],
  ]);
});

test('a client that goes away while it waits takes no chunk with it', async () => {
  const made = harness();
  const jobId = await made.submit({ chunks: 1, chunk_delay_ms: 1000 });
  const gone = new AbortController();
  const requested = made.job('stream', { jobId, signal: gone.signal });
  await made.clock.sleep(500);
  gone.abort();
  await expect(requested).rejects.toThrow();
  expect((await streamed(made, jobId)).flat()).toEqual([{ chunk: 0 }]);
});

test.for([
  ['?wait=2000', 2000],
  ['?wait=-1', 0],
  ['?wait=999999999', 300_000],
  ['?wait=a', 5000],
  ['?wait=', 5000],
] as const)('%s of a job without chunks waits %i ms', async ([query, waited]) => {
  const made = harness();
  const jobId = await made.submit({ delay_ms: 500_000 });
  const before = made.clock.now();
  expect((await made.job('stream', { jobId, query })).body).toEqual({ id: jobId, status: 'IN_PROGRESS', stream: [] });
  expect(made.clock.now() - before).toBe(waited);
});

test.for([
  ['fails', { chunks: 3, fail: 'no' }, 'FAILED'],
  ['completes', { chunks: 3 }, 'COMPLETED'],
] as const)(
  'a job that %s has all its chunks with the first final answer, and none after',
  async ([, input, state]) => {
    const made = harness();
    const jobId = await made.submit(input);
    await made.clock.sleep(1);
    const first = await made.job('stream', { jobId });
    expect(first.body).toMatchObject({ status: state, stream: [0, 1, 2].map((chunk) => ({ output: { chunk } })) });
    expect((await made.job('stream', { jobId })).body).toEqual({ id: jobId, status: state, stream: [] });
  },
);

test('what a cancelled job had yielded can still be fetched', async () => {
  const made = harness();
  const jobId = await made.submit({ chunks: 9, chunk_delay_ms: 1000 });
  await made.clock.sleep(2500);
  await made.job('cancel', { jobId });
  const { body } = await made.job('stream', { jobId });
  expect(body).toEqual({
    id: jobId,
    status: 'CANCELLED',
    stream: [{ output: { chunk: 0 } }, { output: { chunk: 1 } }],
  });
});

test('chunks too long for one piece come in several, in order, and joined are the whole', async () => {
  const chunk = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), fc.integer({ min: 10, max: 30 }), async (all, bytes) => {
      const speaker: Handler = async function* (_input, sleep) {
        for (const one of all) {
          await sleep(10);
          yield one;
        }
      };
      const rules = { ...specRules, handler: () => speaker };
      const made = harness({ limiter: 'off', streamChunkBytes: bytes, rules });
      const got = (await streamed(made, await made.submit(null))).flat();
      for (const piece of got) expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThanOrEqual(bytes);
      const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
      expect(got.map(asText).join('')).toBe(all.map((one) => asText(JSON.parse(JSON.stringify(one)))).join(''));
    }),
    { numRuns: 60 },
  );
});
