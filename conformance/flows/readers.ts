/** Streams that are read otherwise than by one reader from the start to a good end: late, side by side, cut short. */
import { type CheckContext, shared } from '../context.ts';
import { chunkNumbersOf, fromZero, streamStateOf } from '../reading/chunks.ts';
import { isFinal } from '../reading/job.ts';
import { describe, type Reply } from '../target/reply.ts';
import { chunksIn, type Reading, readToEnd, readUpTo, type Unnumbered, unnumberedIn } from './stream.ts';
import { finish, hasEnded, poll, type Seen, submit } from './submit.ts';

const LATE = 4;
const LATE_PAUSE_MS = 20;
/** Of three jobs that stream at the same time; different, so that a mix-up shows. */
const TOGETHER = [3, 5, 2];
const TOGETHER_PAUSE_MS = 60;
const FAILING = 4;
const FAILING_PAUSE_MS = 100;
/** It is over by itself soon after it was meant to be cut short. */
const CUT = 24;
const CUT_PAUSE_MS = 80;
const READ_PATIENCE_MS = 20_000;

export interface Read extends Reading, Unnumbered {
  readonly numbers: readonly number[];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const numbersOf = (replies: readonly Reply[]): number[] => replies.flatMap((reply) => chunkNumbersOf(reply.text));
const readOf = ({ replies, over }: Reading, count: number): Read => ({
  replies,
  numbers: fromZero(numbersOf(replies), count),
  unnumbered: unnumberedIn(replies),
  expected: upTo(count),
  over,
});

/** Ground for whatever asks which chunks came: without a number they can't be told apart. */
export function requireChunks(t: CheckContext, holds: boolean, observed: string): void {
  t.ground(
    'numbered chunks are streamed',
    'some',
    observed,
    holds,
    'see stream.results, or deploy a handler that yields {"chunk": number}',
  );
}

/** A stream that nobody read until its job had ended. */
export const lateRead = shared('late-read', 'finding', async (t): Promise<Read> => {
  const job = await submit(t, { chunks: LATE, chunk_delay_ms: LATE_PAUSE_MS });
  await finish(t, job);
  return readOf(await readToEnd(t, job), LATE);
});

/** Several jobs that stream at the same time, each with a reader of its own. */
export const readTogether = shared('read-together', 'finding', async (t): Promise<Read[]> => {
  t.needWorkers();
  const submitted = TOGETHER.map((chunks) => submit(t, { chunks, chunk_delay_ms: TOGETHER_PAUSE_MS }));
  const jobs = await Promise.all(submitted);
  const all = await Promise.all(jobs.map((job) => readToEnd(t, job)));
  return all.map((reading, index) => readOf(reading, TOGETHER[index] ?? 0));
});

const hasChunk = ({ text }: Reply): boolean => chunksIn(text).length > 0;

export interface FailedRead extends Read {
  readonly ended: Seen;
  /** From the first look that showed it running to the one that showed its end, milliseconds. */
  readonly ranMs: number;
  /** How long a handler works that makes these chunks. */
  readonly askedMs: number;
}

/** A stream whose handler fails after its last chunk: one answer is read before that, the rest afterwards. */
export const failedRead = shared('failed-read', 'finding', async (t): Promise<FailedRead> => {
  t.needWorkers();
  const word = t.word();
  const job = await submit(t, { chunks: FAILING, chunk_delay_ms: FAILING_PAUSE_MS, fail: word });
  const began = await poll(t, job, ({ state }) => state !== 'queued');
  const { replies: first } = await readUpTo(t, job, 'GET', hasChunk);
  const ended = await poll(t, job, hasEnded, READ_PATIENCE_MS);
  t.ground(
    'a job whose input makes it stream chunks and then fail',
    'failed',
    describe(ended.reply),
    ended.state === 'failed',
    'deploy a handler that fails with input.fail after its chunks',
  );
  const { replies: rest, over } = await readToEnd(t, job);
  const read = readOf({ replies: [...first, ...rest], over }, FAILING);
  const ranMs = Math.round(ended.reply.endMs - began.reply.sentMs);
  return { ...read, ended, ranMs, askedMs: FAILING * FAILING_PAUSE_MS };
});

export interface CutRead extends Unnumbered {
  /** The first answer that told of the end; else the last before one more. */
  readonly waiting: Reply;
  readonly numbers: readonly number[];
  readonly cancelledMs: number;
  /** Whether that answer had come before the cancel was sent, so that nobody waited any more. */
  readonly overBefore: boolean;
}

/** A stream whose job is cancelled in the middle, with a reader that waits for the next chunk. */
export const cutRead = shared('cut-read', 'finding', async (t): Promise<CutRead> => {
  t.needWorkers();
  const job = await submit(t, { chunks: CUT, chunk_delay_ms: CUT_PAUSE_MS });
  const { replies: before } = await readUpTo(t, job, 'GET', hasChunk);
  const reading = readToEnd(t, job);
  reading.catch(() => undefined);
  await t.sleep(CUT_PAUSE_MS * 2);
  const cancelled = await t.jobs.cancel(job.id);
  t.requireOk(cancelled);
  const { replies: after } = await reading;
  const replies = [...before, ...after];
  const waiting = replies.find(({ text }) => isFinal(streamStateOf(text))) ?? after.at(-2) ?? cancelled;
  return {
    waiting,
    numbers: numbersOf(replies),
    unnumbered: unnumberedIn(replies),
    expected: [],
    cancelledMs: cancelled.endMs,
    overBefore: waiting.endMs < cancelled.sentMs,
  };
});
