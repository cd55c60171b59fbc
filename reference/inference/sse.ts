/** The event stream of interface A: one `data:` line for each piece, at the time it is due, and a terminator. */
import type { Call } from '../call.ts';
import type { Reply } from '../reply.ts';
import type { Choice, Shape } from './answer.ts';

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** Events of step `at`: the piece of every choice that has one, and its end right after its last. */
function* step<C extends Choice>(choices: readonly C[], shape: Shape<C>, at: number): Generator<object> {
  for (const choice of choices) {
    const opening = at === 0 ? shape.open(choice) : null;
    if (opening) yield opening;
    if (at < choice.pieces.length) yield shape.piece(choice, at);
    if (at === Math.max(1, choice.pieces.length) - 1) yield shape.close(choice);
  }
}

/**
 * Due times are reckoned from the start, so that a slow moment is made up for instead of adding up; what is overdue is
 * sent together.
 */
async function* events<C extends Choice>(
  call: Call,
  signal: AbortSignal,
  choices: readonly C[],
  shape: Shape<C>,
  chunk: (parts: readonly object[], last?: boolean) => object,
  withUsage: boolean,
): AsyncGenerator<string, void, undefined> {
  const { clock, options } = call;
  const startMs = clock.now();
  const steps = Math.max(1, ...choices.map((choice) => choice.pieces.length));
  let text = '';
  for (let at = 0; at < steps; at += 1) {
    const waitMs = startMs + options.firstTokenMs + at * options.interTokenMs - clock.now();
    if (waitMs > 0 && text !== '') {
      yield text;
      text = '';
    }
    await clock.sleep(waitMs, signal);
    for (const part of step(choices, shape, at)) text += event(chunk([part]));
  }
  yield text + (withUsage ? event(chunk([], true)) : '') + options.rules.endOfStream;
}

/** Ends its work when the client goes away and when the reader gives the stream up. */
export function eventStream<C extends Choice>(
  call: Call,
  choices: readonly C[],
  shape: Shape<C>,
  chunk: (parts: readonly object[], last?: boolean) => object,
  withUsage: boolean,
): Reply {
  const stop = new AbortController();
  const inner = events(call, AbortSignal.any([call.signal, stop.signal]), choices, shape, chunk, withUsage);
  const iterator: AsyncIterator<string> = {
    next: () => inner.next(),
    return: async () => {
      stop.abort(new Error('the reader gave the stream up'));
      await inner.return().catch(() => undefined);
      return { done: true, value: undefined };
    },
  };
  return { status: 200, headers: HEADERS, body: { [Symbol.asyncIterator]: () => iterator } };
}
