/**
 * When the events of a stream arrive. Something between the model and its client that holds a stream back is the
 * commonest fault of a service that works, so the first event is held against the time that one token takes alone.
 */
import { type Check, check } from '../check.ts';
import { ask, bodyFor, chunked, completing, send } from '../flows/completions.ts';
import { readEvents } from '../reading/events.ts';

const on = 'inference';
const MANY_TOKENS = 120;
/** What is said in less time can't be told from what was held back. */
const TELLING_MS = 400;
/** Part of the time that the text takes after its first token. Whoever holds all of it back uses up all of that time. */
const LATEST = 0.8;
/** Events for each time that something arrived: what was held back arrives in a few large pieces. */
const MOST_TOGETHER = 4;

const ms = (value: number): string => `${Math.round(value)} ms`;

export const checks: readonly Check[] = completing.map((id) =>
  check(
    {
      id: `${id}.stream.first-event`,
      title: `The first event of ${id} comes when there is something to say, not when all is said`,
      clauses: ['inference.stream-incremental'],
      on,
    },
    async (t) => {
      await chunked(t, id);
      const one = await ask(t, id, { max_tokens: 1 });
      t.requireAnswer(id, one);
      const text = `Count from one to sixty in words. (${t.target.runId})`;
      const reply = await send(t, id, bodyFor(t, id, text, { max_tokens: MANY_TOKENS, stream: true }));
      t.requireOk(reply);
      const { events } = readEvents(reply.pieces);
      const firstMs = (events[0]?.atMs ?? reply.endMs) - reply.sentMs;
      const [aloneMs, wholeMs] = [one.endMs - one.sentMs, reply.endMs - reply.sentMs];
      const tellingMs = wholeMs - aloneMs;
      t.require(events.length > 0 && tellingMs >= TELLING_MS, 'ground', {
        what: 'a stream takes so long that holding it back shows',
        expected: `${TELLING_MS} ms more than one token`,
        observed: `${ms(wholeMs)} for ${events.length} events, ${ms(aloneMs)} for one token`,
        remedy: 'use a model that takes longer',
      });
      const latestMs = aloneMs + LATEST * tellingMs;
      // A request that had to wait for its turn begins late too, but then its events come one by one.
      const arrivals = new Set(events.map((event) => event.atMs)).size;
      const apart = arrivals * MOST_TOGETHER > events.length;
      const times = `${ms(firstMs)} of ${ms(wholeMs)}; one token takes ${ms(aloneMs)}`;
      const observed = `after ${times}; ${events.length} events in ${arrivals} arrivals`;
      t.expect('the first event', `before ${ms(latestMs)}`, observed, firstMs < latestMs || apart);
    },
  ),
);
