/** Reading a streaming job to its end, call by call, as clients do. */
import type { HttpMethod } from '../../schemas/operations.ts';
import { takes } from '../../schemas/workloads.ts';
import type { CheckContext, Weight } from '../context.ts';
import { chunkNumbersOf, resultsOf } from '../reading/chunks.ts';
import { isFinal, stateOf } from '../reading/job.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { finish, poll, type Submitted, submit, submitAny } from './submit.ts';

const CHUNKS = 4;
const CHUNK_DELAY_MS = 300;
const PATIENCE_MS = 60_000;
/** Answers without news are followed by a pause, in case the target does not hold them. */
const PAUSE_MS = 100;

export interface Drained {
  readonly replies: readonly Reply[];
  /** How many chunks each answer held, numbered or not. */
  readonly counts: readonly number[];
  readonly numbers: readonly number[];
  readonly expected: readonly number[];
  /** All of them, where they carry no number. */
  readonly unnumbered: readonly unknown[];
}

/** Another handler than the reference's need not number what it makes. */
export const chunksIn = (t: CheckContext, text: string): readonly unknown[] => {
  const numbers = chunkNumbersOf(text);
  return numbers.length > 0 || t.target.config.workloads?.streaming === undefined ? numbers : resultsOf(text);
};

/** @throws Inconclusive where chunks came that nobody can put in order. */
export function requireNumbers(t: CheckContext, { unnumbered }: Drained): void {
  if (unnumbered.length === 0) return;
  t.inconclusive(
    `${unnumbered.length} chunks came, and the chunks carry no number`,
    'let the streaming workload yield {"chunk": N}, counted from 0',
  );
}

/** One streaming job, read to its end and once more; shared, since reading takes as long as the job. */
export function drained(t: CheckContext, as: Weight = 'ground'): Promise<Drained> {
  return t.once('drained', (own) => drain(own, 'GET'), as);
}

/** Every answer of stream about a job up to its end, and one more. */
export async function readStream(t: CheckContext, job: Submitted, method: HttpMethod = 'GET'): Promise<Reply[]> {
  const replies: Reply[] = [];
  const until = t.clock.now() + PATIENCE_MS;
  let over = false;
  while (!over && t.clock.now() < until) {
    const reply = await t.jobs.stream(job.id, method);
    if (!isOk(reply))
      t.require(false, 'finding', { what: 'stream is answered', expected: '2xx', observed: describe(reply) });
    replies.push(reply);
    const none = chunksIn(t, reply.text).length === 0;
    over = isFinal(stateOf(reply.json)) || (none && isFinal(stateOf((await job.jobs.status(job.id)).json)));
    if (!over && none) await t.sleep(PAUSE_MS);
  }
  return [...replies, await t.jobs.stream(job.id, method)];
}

/**
 * @throws Inconclusive when no chunk came and nothing shows that the deployed handler makes any.
 */
export async function drain(t: CheckContext, method: HttpMethod): Promise<Drained> {
  t.needWorkers();
  const job = await submitAny(t, { chunks: CHUNKS, chunk_delay_ms: CHUNK_DELAY_MS });
  const replies = await readStream(t, job, method);
  const perReply = replies.map((reply) => chunksIn(t, reply.text));
  const numbers = replies.flatMap((reply) => chunkNumbersOf(reply.text));
  const unnumbered = numbers.length > 0 ? [] : perReply.flat();
  if (numbers.length + unnumbered.length === 0) await requireGenerator(t);
  const asked = takes(t.target.config.workloads, 'streaming', 'chunks');
  const count = asked ? CHUNKS : Math.max(-1, ...numbers) + 1;
  const expected = Array.from({ length: count }, (_, index) => index);
  return { replies, counts: perReply.map((one) => one.length), numbers, expected, unnumbered };
}

/**
 * No chunk may be the target's fault or the handler's. A job that took the time of its chunks had a handler for them.
 */
async function requireGenerator(t: CheckContext): Promise<void> {
  const plain = await submit(t, { echo: 'plain' });
  await finish(t, plain);
  const began = t.clock.now();
  const job = await submit(t, { chunks: CHUNKS, chunk_delay_ms: CHUNK_DELAY_MS });
  await poll(t, job, ({ state }) => isFinal(state));
  const took = Math.round(t.clock.now() - began);
  const should = CHUNKS * CHUNK_DELAY_MS;
  t.require(took >= should, 'ground', {
    what: 'the deployed handler makes chunks',
    expected: `a job of ${CHUNKS} chunks takes ${should} ms or more`,
    observed: `no chunk, and ${took} ms`,
    remedy: 'deploy a handler that yields input.chunks chunks, each after input.chunk_delay_ms',
  });
}
