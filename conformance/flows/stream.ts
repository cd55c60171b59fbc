/** Reading a streaming job to its end, call by call, as clients do. */
import type { HttpMethod } from '../../schemas/operations.ts';
import { takes } from '../../schemas/workloads.ts';
import type { CheckContext, Weight } from '../context.ts';
import { chunkNumbersOf, fromZero, resultsOf, streamStateOf } from '../reading/chunks.ts';
import { isFinal, stateOf } from '../reading/job.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { finish, hasEnded, poll, type Submitted, submit, submitAny } from './submit.ts';

const CHUNKS = 4;
const CHUNK_DELAY_MS = 300;
const PATIENCE_MS = 60_000;
/** Answers without news are followed by a pause, longer each time, in case the target does not hold them. */
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
const GROWTH = 1.5;
/** Answers without news, after some with, that show the end where no state can be read: far longer than a chunk takes. */
const QUIET = 6;
/** Of one job by one reader, so that a stream whose end can't be read does not use up what others need. */
export const MOST_READS = 40;

/** The results that came, where they carry no number. */
export interface Unnumbered {
  readonly unnumbered: readonly unknown[];
  readonly expected: readonly number[];
}

export interface Drained extends Unnumbered {
  readonly replies: readonly Reply[];
  /** How many chunks each answer held, numbered or not. */
  readonly counts: readonly number[];
  readonly numbers: readonly number[];
  /** Whether the job was seen to end. */
  readonly over: boolean;
}

/** Another handler than the reference's need not number what it makes. */
export const chunksIn = (text: string): readonly unknown[] => {
  const numbers = chunkNumbersOf(text);
  return numbers.length > 0 ? numbers : resultsOf(text);
};

/** All results of several answers, where none carries a number. */
export const unnumberedIn = (replies: readonly Reply[]): readonly unknown[] =>
  replies.some(({ text }) => chunkNumbersOf(text).length > 0) ? [] : replies.flatMap(({ text }) => resultsOf(text));

/** @throws Inconclusive where chunks came that nobody can put in order. */
export function requireNumbers(t: CheckContext, { unnumbered, expected }: Unnumbered): void {
  if (unnumbered.length === 0) return;
  const asked = expected.length > 0 ? ` of ${expected.length} requested chunks` : '';
  t.inconclusive(
    `${unnumbered.length} chunks arrived${asked}, and they carry no numbers to show their order`,
    'let the handler yield {"chunk": N}, counted from 0; workloads.streaming is the input that makes it do so',
  );
}

/** One streaming job, read to its end and once more; shared, since reading takes as long as the job. */
export function drained(t: CheckContext, as: Weight = 'ground'): Promise<Drained> {
  return t.once('drained', (own) => drain(own, 'GET'), as);
}

export interface Reading {
  readonly replies: readonly Reply[];
  /** Whether the stream or the status told of the end of the job. */
  readonly over: boolean;
}

/**
 * Every answer of stream about a job up to its end, or up to one that is enough. Where the answers do not tell the end,
 * status does, and then one without news is the last.
 */
export async function readUpTo(
  t: CheckContext,
  job: Submitted,
  method: HttpMethod,
  enough: (reply: Reply) => boolean,
  as: Weight = 'ground',
): Promise<Reading> {
  const replies: Reply[] = [];
  const until = t.clock.now() + PATIENCE_MS;
  let before = '';
  let over = false;
  let begun = false;
  let quiet = 0;
  for (let pauseMs = PAUSE_MS; replies.length < MOST_READS && t.clock.now() < until; ) {
    const reply = await t.jobs.stream(job.id, method);
    if (!isOk(reply)) t[as]('stream gets a response', '2xx', describe(reply), false);
    replies.push(reply);
    if (isFinal(streamStateOf(reply.text))) return { replies, over: true };
    if (enough(reply)) return { replies, over };
    const chunks = chunksIn(reply.text);
    const heard = JSON.stringify(chunks);
    const news = chunks.length > 0 && heard !== before;
    before = heard;
    begun ||= news;
    quiet = news ? 0 : quiet + 1;
    if (news) {
      pauseMs = PAUSE_MS;
      continue;
    }
    if (over) return { replies, over };
    const status = await job.jobs.status(job.id);
    const state = stateOf(status.json);
    over = hasEnded({ reply: status, state });
    if (over) continue;
    if (state === 'unknown' && begun && quiet >= QUIET) break;
    await t.sleep(pauseMs);
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
  return { replies, over };
}

/** The same up to the end, and one answer more. */
export async function readToEnd(t: CheckContext, job: Submitted, method: HttpMethod = 'GET'): Promise<Reading> {
  const { replies, over } = await readUpTo(t, job, method, () => false, 'finding');
  return { replies: [...replies, await t.jobs.stream(job.id, method)], over };
}

/** Its answers alone. */
export async function readStream(t: CheckContext, job: Submitted, method?: HttpMethod): Promise<readonly Reply[]> {
  return (await readToEnd(t, job, method)).replies;
}

/**
 * @throws Inconclusive when no chunk came and nothing shows that the deployed handler makes any.
 */
export async function drain(t: CheckContext, method: HttpMethod): Promise<Drained> {
  t.needWorkers();
  const job = await submitAny(t, { chunks: CHUNKS, chunk_delay_ms: CHUNK_DELAY_MS });
  const { replies, over } = await readToEnd(t, job, method);
  const asked = takes(t.target.config.workloads, 'streaming', 'chunks');
  const found = replies.flatMap((reply) => chunkNumbersOf(reply.text));
  const numbers = asked ? fromZero(found, CHUNKS) : found;
  const unnumbered = unnumberedIn(replies);
  if (numbers.length + unnumbered.length === 0) {
    await requireGenerator(t);
    requireReadable(t, replies);
  }
  const count = asked ? CHUNKS : Math.max(-1, ...numbers) + 1;
  const expected = Array.from({ length: count }, (_, index) => index);
  return { replies, counts: replies.map(({ text }) => chunksIn(text).length), numbers, expected, unnumbered, over };
}

/** Results may come as words that are no JSON: what they are is the handler's. A page is none of them. */
function requireReadable(t: CheckContext, replies: readonly Reply[]): void {
  const unread = replies.find(
    ({ json, text, headers }) =>
      json === undefined &&
      text.trim() !== '' &&
      !/html/.test(headers['content-type'] ?? '') &&
      streamStateOf(text) === 'unknown',
  );
  if (!unread) return;
  t.inconclusive(`no chunk can be read from ${describe(unread)}`, 'let the handler yield {"chunk": N}, counted from 0');
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
  t.ground(
    'the deployed handler streams chunks',
    `a job of ${CHUNKS} chunks takes ${should} ms or more`,
    `no chunk, and ${took} ms`,
    took >= should,
    'deploy a handler that yields input.chunks chunks, each after input.chunk_delay_ms',
  );
}
