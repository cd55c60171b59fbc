/** Clients that disconnect in the middle of a stream, as people do who have read enough: no other client notices. */
import { show } from '../../schemas/json.ts';
import type { CheckDefinition } from '../check.ts';
import { atMost, bodyFor, chunked, complete, completing, send } from '../fixtures/completions.ts';
import { DONE, readEvents } from '../reading/events.ts';

/** So many that a stream is not over before its first piece has been read, however busy the machine. */
const MANY_TOKENS = 400;
const LEAVING = 3;

export const checks: readonly CheckDefinition[] = completing.map(
  (id): CheckDefinition => ({
    id: `${id}.stream.left`,
    title: `After clients have aborted ${id} streams, other requests are served in full`,
    clauses: [`${id}.route`, 'inference.stream-end'],
    level: 'convention',
    because: 'neither streaming nor a client that disconnects is documented',
    async run(t) {
      await chunked(t, id);
      const text = `Count from one to two hundred in words. (${t.target.runId})`;
      const body = bodyFor(t, id, text, { ...atMost(t, MANY_TOKENS), stream: true });
      const left = await Promise.all(Array.from({ length: LEAVING }, () => send(t, id, body, { leavesAfter: 1 })));
      for (const reply of left) t.requireOk(reply);
      const over = left.filter(({ text: seen }) => seen.includes(DONE)).length;
      t.precondition(
        'the streams were aborted half-way',
        `${LEAVING} not finished`,
        `${over} had finished`,
        over === 0,
        'use a slower model',
      );
      t.expectAnswered(id, await complete(t, id));
      const next = await complete(t, id, { stream: true });
      const last = readEvents(next.pieces).events.at(-1)?.data ?? 'no event';
      t.expect('the last event of the next stream', DONE, show(last), last === DONE);
    },
  }),
);
