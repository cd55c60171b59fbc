/** Who waits by status-sync: up to the end, or until it is clear that nothing is held. */
import { expect, test } from 'vitest';
import { JobsClient } from '../target/jobs.ts';
import type { Reply } from '../target/reply.ts';
import type { TargetRequest } from '../target/target.ts';
import { follow, type Waiter } from './wait.ts';

interface Answer {
  readonly body: unknown;
  readonly tookMs: number;
  readonly status?: number;
}

const running = (tookMs: number): Answer => ({ body: { status: 'IN_PROGRESS' }, tookMs });
const complete: Answer = { body: { status: 'COMPLETED' }, tookMs: 400 };

/** Follows a job by answers that come one after the other, the last one again and again. */
async function followed(answers: readonly Answer[], roundTripMs = 0): Promise<Waiter & { asked: TargetRequest[] }> {
  const asked: TargetRequest[] = [];
  let nowMs = 0;
  const exchange = async (one: TargetRequest): Promise<Reply> => {
    const { body, tookMs, status = 200 } = answers[Math.min(asked.length, answers.length - 1)] ?? complete;
    asked.push(one);
    const sentMs = nowMs;
    nowMs += tookMs;
    const common = { request: 'GET /status-sync', headers: {}, pieces: [], text: JSON.stringify(body), json: body };
    return { ...common, status, sentMs, headersMs: nowMs, endMs: nowMs };
  };
  const jobs = new JobsClient(exchange, 'inst-1');
  const run = await exchange({ interface: 'jobs', operation: 'run', method: 'POST', path: '/run' });
  asked.length = 0;
  return { ...(await follow({ id: 'job', reply: run, jobs }, 'POST', roundTripMs)), asked };
}

test('it asks again after an answer that was held, with the method and a wait', async () => {
  const { last, atOnce, asked } = await followed([running(300), running(300), complete]);
  expect([last.json, atOnce, asked.length]).toEqual([complete.body, 0, 3]);
  expect(asked.every(({ method, path }) => method === 'POST' && /status-sync\/job\?wait=\d+$/.test(path))).toBe(true);
});

test('it gives up where answers are not held', async () => {
  const { atOnce, asked } = await followed([running(1)]);
  expect(atOnce).toBe(asked.length);
  expect(asked.length).toBeLessThan(10);
});

test('an answer that took as long as any other was not held', async () => {
  expect((await followed([running(220)], 200)).atOnce).toBeGreaterThan(2);
});

test('it ends with a refusal, and when its own patience does', async () => {
  expect((await followed([{ body: {}, tookMs: 1, status: 404 }])).asked.length).toBe(1);
  expect((await followed([running(8000)])).asked.length).toBeLessThan(5);
});
