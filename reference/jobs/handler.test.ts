import { expect, test } from 'vitest';
import { workloadHandler } from './handler.ts';

/** Runs a workload; returns what it yielded, what it returned and how long it slept between, ms. */
async function ran(input: unknown): Promise<{ chunks: unknown[]; output: unknown; slept: number[] }> {
  const slept: number[] = [];
  const steps = workloadHandler(input, async (ms) => {
    slept.push(ms);
  });
  const chunks: unknown[] = [];
  for (;;) {
    const step = await steps.next();
    if (step.done) return { chunks, output: step.value, slept };
    chunks.push(step.value);
  }
}

test('the output is the value of echo, of any type', async () => {
  for (const echo of [{ a: [1] }, 'text', 0, false, null]) expect((await ran({ echo })).output).toEqual(echo);
});

test('without echo the output is the input itself', async () => {
  for (const input of [{ prompt: 'x' }, {}, 'text', 7, null, [1, 2]]) expect((await ran(input)).output).toEqual(input);
});

test('delay comes once, before the chunks; each chunk has its own delay', async () => {
  const { chunks, slept } = await ran({ delay_ms: 100, chunks: 3, chunk_delay_ms: 20 });
  expect(chunks).toEqual([{ chunk: 0 }, { chunk: 1 }, { chunk: 2 }]);
  expect(slept).toEqual([100, 20, 20, 20]);
});

test('a quick workload does not sleep at all', async () => {
  expect((await ran({ echo: 1 })).slept).toEqual([]);
  expect((await ran({ chunks: 2 })).slept).toEqual([]);
  expect((await ran({ delay_ms: -5, chunks: 'many', chunk_delay_ms: null })).slept).toEqual([]);
});

test('a failing workload fails with its own words, after its chunks', async () => {
  await expect(ran({ fail: 'out of memory' })).rejects.toThrow('out of memory');
  const steps = workloadHandler({ chunks: 1, fail: 'late' }, async () => undefined);
  expect(await steps.next()).toEqual({ done: false, value: { chunk: 0 } });
  await expect(steps.next()).rejects.toThrow('late');
});
