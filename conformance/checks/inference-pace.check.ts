/**
 * When the events of a stream arrive. Something between the model and its client that holds a stream back is the
 * commonest fault of a service that works, so the first event is held against the time that one token takes alone.
 */
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { atMost, bodyFor, type Completing, chunked, complete, completing, send } from '../fixtures/completions.ts';
import { readEvents } from '../reading/events.ts';
import { durationOf } from '../target/reply.ts';

const MANY_TOKENS = 200;
/** A text that takes less time can't be distinguished from one that was held back. */
const TELLING_MS = 400;
/**
 * Part of the time that the text takes after its first token. A service that holds all of it back uses up all of that
 * time.
 */
const LATEST = 0.8;
/** Events for each time that something arrived: what was held back arrives in a few large pieces. */
const MOST_TOGETHER = 4;

const ms = (value: number): string => `${Math.round(value)} ms`;

interface Timed {
  readonly events: number;
  /** Times at which something came. */
  readonly arrivals: number;
  readonly firstMs: number;
  readonly wholeMs: number;
  /** The whole of a completion of one token. */
  readonly aloneMs: number;
}

async function timed(t: CheckContext, id: Completing): Promise<Timed> {
  const before = await complete(t, id, atMost(t, 1));
  const text = `Count from one to ninety in words. (${t.target.runId})`;
  const reply = await send(t, id, bodyFor(t, id, text, { ...atMost(t, MANY_TOKENS), stream: true }));
  t.requireOk(reply);
  const after = await complete(t, id, atMost(t, 1));
  for (const one of [before, after]) t.requireAnswer(id, one);
  const { events } = readEvents(reply.pieces);
  return {
    events: events.length,
    arrivals: new Set(events.map((event) => event.atMs)).size,
    firstMs: (events[0]?.atMs ?? reply.endMs) - reply.sentMs,
    wholeMs: durationOf(reply),
    aloneMs: Math.min(...[before, after].map(durationOf)),
  };
}

const latestMs = ({ aloneMs, wholeMs }: Timed): number => aloneMs + LATEST * (wholeMs - aloneMs);

/** A request that had to wait for its turn begins late too, but then its events come one by one. */
const isPrompt = (one: Timed): boolean => one.firstMs < latestMs(one) || one.arrivals * MOST_TOGETHER > one.events;

export const checks: readonly CheckDefinition[] = completing.map(
  (id): CheckDefinition => ({
    id: `${id}.stream.first-event`,
    title: `The first event of a ${id} stream arrives before the whole text is generated`,
    clauses: ['inference.stream-incremental'],
    async run(t) {
      await chunked(t, id);
      const first = await timed(t, id);
      // A busy moment of this machine looks the same, but seldom happens twice.
      const one = isPrompt(first) ? first : await timed(t, id);
      const { events, arrivals, firstMs, wholeMs, aloneMs } = one;
      t.precondition('a stream has events', 'at least one', `${events}`, events > 0);
      if (wholeMs - aloneMs < TELLING_MS)
        t.notObservable(
          `a model slow enough to show buffering (--model): ${TELLING_MS} ms more for a stream than the ${ms(aloneMs)} of one token, not ${ms(wholeMs)}`,
        );
      const times = `${ms(firstMs)} of ${ms(wholeMs)}; one token takes ${ms(aloneMs)}`;
      const observed = `after ${times}; ${events} events in ${arrivals} arrivals`;
      t.expect('the first event', `before ${ms(latestMs(one))}`, observed, isPrompt(one));
    },
  }),
);
