import { expect, test } from 'vitest';
import { Visitor } from '../client.ts';
import { virtualClock } from '../clock.ts';
import { type Handler, workloadHandler } from './handler.ts';
import type { Job, JobPolicy } from './job.ts';
import { loose } from './testing/opened.ts';
import { type WorkResult, work } from './worker.ts';

const POLICY: JobPolicy = { executionTimeoutMs: 10_000, ttlMs: 60_000, lowPriority: false };

function started(input: unknown, at: number, policy: Partial<JobPolicy> = {}): Job {
  return { ...loose(0, input, { ...POLICY, ...policy }), createdAt: at, state: 'IN_PROGRESS', startedAt: at };
}

interface Ran {
  readonly result: WorkResult;
  readonly tookMs: number;
  readonly chunks: readonly unknown[];
  readonly sleeping: number;
}

async function ran(input: unknown, policy: Partial<JobPolicy> = {}, handler: Handler = workloadHandler): Promise<Ran> {
  const clock = virtualClock({ startMs: 0 });
  const chunks: unknown[] = [];
  const result = await work(started(input, 0, policy), handler, clock, new Visitor(), (chunk) => chunks.push(chunk));
  return { result, tookMs: clock.now(), chunks, sleeping: clock.sleeping };
}

test('a job that ends well has its output, and took the requested time', async () => {
  const { result, tookMs, chunks } = await ran({ echo: 'yes', delay_ms: 50, chunks: 2, chunk_delay_ms: 10 });
  expect(result).toEqual({ kind: 'completed', output: 'yes' });
  expect(tookMs).toBe(70);
  expect(chunks).toEqual([{ chunk: 0 }, { chunk: 1 }]);
});

test('a handler that throws makes a failed job with its message', async () => {
  expect((await ran({ fail: 'no' })).result).toEqual({ kind: 'failed', error: new Error('no') });
  const throwsText: Handler = async function* () {
    yield 1;
    throw 'plain text';
  };
  expect((await ran({}, {}, throwsText)).result).toEqual({ kind: 'failed', error: 'plain text' });
});

test('the execution timeout ends a job exactly when it is reached, also in the middle of a sleep', async () => {
  const long = await ran({ delay_ms: 3_600_000 });
  expect(long.result).toEqual({ kind: 'execution-timeout' });
  expect(long.tookMs).toBe(POLICY.executionTimeoutMs);
  const slow = await ran({ chunks: 100, chunk_delay_ms: 3000 });
  expect(slow.result).toEqual({ kind: 'execution-timeout' });
  expect(slow.tookMs).toBe(POLICY.executionTimeoutMs);
  expect(slow.chunks).toHaveLength(3);
});

test('a job that ends just before its timeout is completed', async () => {
  expect((await ran({ delay_ms: POLICY.executionTimeoutMs - 1 })).result.kind).toBe('completed');
});

test('the time to live ends a running job when it comes before the execution timeout', async () => {
  const { result, tookMs } = await ran({ delay_ms: 3_600_000 }, { ttlMs: 4000 });
  expect(result).toEqual({ kind: 'ttl-expired' });
  expect(tookMs).toBe(4000);
});

test('a stopped job leaves no sleeper behind', async () => {
  const clock = virtualClock({ startMs: 0 });
  const stop = new Visitor();
  const result = work(started({ delay_ms: 5000 }, 0), workloadHandler, clock, stop, () => undefined);
  stop.leave(new Error('stopped'));
  expect(await result).toEqual({ kind: 'stopped' });
  expect(clock.sleeping).toBe(0);
  expect(clock.now()).toBe(0);
});
