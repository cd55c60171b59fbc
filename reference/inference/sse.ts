/**
 * The event stream of interface A: one `data:` line for each piece, at the time it is due, and a terminator. It begins
 * with its first token, so that a failure before that is not seen; one after that is reported, or made up for.
 */
import type { Call } from '../call.ts';
import { Visitor } from '../client.ts';
import type { Reply } from '../reply.ts';
import type { Choice, Shape } from './answer.ts';
import { type Lease, SERVED_BY, type Work, worked, workOf } from './balancer/lease.ts';

// How long tokens take. With jitter every one of them takes a little more or less, by chance.

type Paced = Pick<Call, 'options' | 'random'>;

function varied(call: Paced, ms: number): number {
  const { jitter } = call.options;
  return jitter === 0 ? ms : ms * (1 + jitter * (2 * call.random() - 1));
}

/** Until the first token is there, milliseconds. */
export const firstTokenMs = (call: Paced): number => varied(call, call.options.firstTokenMs);

/** From one token to the next, milliseconds. */
export const interTokenMs = (call: Paced): number => varied(call, call.options.interTokenMs);

/** Until the last of so many tokens is there, milliseconds. */
export function wholeMs(call: Paced, tokens: number): number {
  let ms = firstTokenMs(call);
  if (call.options.jitter === 0) return ms + Math.max(0, tokens - 1) * call.options.interTokenMs;
  for (let token = 1; token < tokens; token += 1) ms += interTokenMs(call);
  return ms;
}

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

const event = (json: string): string => `data: ${json}\n\n`;

/** What clients read in the middle of a stream as its failure. */
const FAILED = event(
  JSON.stringify({
    error: { message: 'The instance failed.', type: 'server_error', param: null, code: 'internal_error' },
  }),
);

/** The events of one stream, which have everything but their choice in common. */
export interface Frames {
  chunk(choice: object): string;
  /** The one after the last choice; empty where usage wasn't requested. */
  readonly usage: string;
}

/** `usage`: null where it wasn't requested. The common part is put into JSON once: there is an event for each token. */
export function framesOf(head: object, usage: object | null): Frames {
  const start = JSON.stringify(head).slice(0, -1);
  const end = usage ? ',"usage":null}' : '}';
  return {
    chunk: (choice) => event(`${start},"choices":[${JSON.stringify(choice)}]${end}`),
    usage: usage ? event(`${start},"choices":[],"usage":${JSON.stringify(usage)}}`) : '',
  };
}

/** Events of step `at`: the piece of every choice that has one, and its end right after its last. */
function* step<C extends Choice>(choices: readonly C[], shape: Shape<C>, at: number): Generator<object> {
  for (const choice of choices) {
    const opening = at === 0 ? shape.open(choice) : null;
    if (opening) yield opening;
    if (at < choice.pieces.length) yield* shape.piece(choice, at);
    if (at === Math.max(1, choice.pieces.length) - 1) yield shape.close(choice);
  }
}

/**
 * Resolves with the lease that the stream goes on with once `untilMs` has come: another one after a failure, which has
 * to read everything again and so begins with the time of a first token. Null when the stream is to end there.
 */
async function until(work: Work, lease: Lease, untilMs: number): Promise<Lease | null> {
  try {
    await work.clock.sleep(untilMs - work.clock.now(), lease.signal);
    if (!lease.lost) return lease;
  } catch (error) {
    if (!lease.lost) throw error;
  }
  return work.options.streamFailover === 'continue' ? worked(work, () => firstTokenMs(work)) : null;
}

/**
 * Due times are reckoned from the start, so that a slow moment is made up for instead of adding up; what is overdue is
 * sent together.
 */
async function* events<C extends Choice>(
  work: Work,
  begun: Lease,
  choices: readonly C[],
  shape: Shape<C>,
  frames: Frames,
): AsyncGenerator<string, void, undefined> {
  const { clock, options } = work;
  const steps = Math.max(1, ...choices.map((choice) => choice.pieces.length));
  let lease = begun;
  let due = clock.now();
  let text = '';
  try {
    for (let at = 0; at < steps; at += 1) {
      if (at > 0) {
        due += interTokenMs(work);
        if (due > clock.now()) {
          yield text;
          text = '';
        }
        const next = await until(work, lease, due);
        if (!next) {
          yield text + FAILED;
          return;
        }
        if (next !== lease) due = clock.now();
        lease = next;
      }
      for (const part of step(choices, shape, at)) text += frames.chunk(part);
    }
    yield text + frames.usage + options.rules.endOfStream;
  } finally {
    lease.free();
  }
}

/**
 * Resolves when the first token is there. Ends its work when the client goes away and when the reader gives the stream
 * up.
 */
export async function eventStream<C extends Choice>(
  call: Call,
  choices: readonly C[],
  shape: Shape<C>,
  frames: Frames,
): Promise<Reply> {
  const { client } = call.request;
  const reader = new Visitor();
  const stay = client.onGone(() => reader.leave(new Error('the client went away')));
  const work = workOf(call, reader);
  const lease = await worked(work, () => firstTokenMs(work)).catch((error: unknown) => {
    stay();
    throw error;
  });
  const headers = { ...HEADERS, [SERVED_BY]: lease.name };
  const inner = events(work, lease, choices, shape, frames);
  const iterator: AsyncIterator<string> = {
    next: async () => {
      const step = await inner.next();
      if (step.done) stay();
      return step;
    },
    return: async () => {
      stay();
      reader.leave(new Error('the reader gave the stream up'));
      await inner.return().catch(() => undefined);
      return { done: true, value: undefined };
    },
  };
  return { status: 200, headers, body: { [Symbol.asyncIterator]: () => iterator } };
}
