/** Whoever looks at a job again and again sees it move only as the table of states allows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canMove, isFinal, type JobState } from './states.ts';
import { add, opened } from './testing/opened.ts';

test('a job only ever makes moves that the table allows, and ends in a final state', async () => {
  const seenEnds = new Set<JobState>();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(7000),
      fc.boolean(),
      fc.integer({ min: 1, max: 14_000 }),
      async (delay, fails, cancelAt) => {
        const { endpoint, clock } = opened();
        add(endpoint, { delay_ms: delay });
        const job = add(endpoint, { delay_ms: delay, ...(fails ? { fail: 'no' } : {}) }, { executionTimeoutMs: 5000 });
        const moves: JobState[] = [job.state];
        while (!isFinal(job.state)) {
          const before = job.state;
          await endpoint.watch(
            job,
            () => job.state !== before,
            Math.max(1, cancelAt - clock.now()),
            new AbortController().signal,
          );
          if (clock.now() >= cancelAt) endpoint.cancel(job);
          if (job.state !== before) moves.push(job.state);
        }
        moves.slice(1).forEach((to, at) => {
          const from = moves[at];
          expect(from === undefined || canMove(from, to) || (from === 'IN_QUEUE' && isFinal(to))).toBe(true);
        });
        seenEnds.add(job.state);
      },
    ),
    { numRuns: 60 },
  );
  expect(seenEnds.size).toBeGreaterThan(2);
});
