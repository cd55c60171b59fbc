/** Never more than there are places, nobody forgotten, and one that fails gives its place back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inTurns } from './turns.ts';

test('any duration, with and without failures', async () => {
  const acts = fc.array(fc.record({ rounds: fc.integer({ min: 1, max: 5 }), fails: fc.boolean() }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(acts, fc.integer({ min: 1, max: 4 }), async (all, places) => {
      const inTurn = inTurns(places);
      let [now, most] = [0, 0];
      const ends = await Promise.allSettled(
        all.map(({ rounds, fails }, index) =>
          inTurn(async () => {
            now += 1;
            most = Math.max(most, now);
            for (let round = 0; round < rounds; round += 1) await Promise.resolve();
            now -= 1;
            if (fails) throw new Error('as it was to');
            return index;
          }),
        ),
      );
      expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : null))).toEqual(
        all.map(({ fails }, index) => (fails ? null : index)),
      );
      expect(most).toBe(Math.min(places, all.length));
    }),
  );
});
