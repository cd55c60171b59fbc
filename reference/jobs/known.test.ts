import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnownJobs } from './known.ts';
import { loose } from './testing/opened.ts';

/** More than three blocks. */
const MANY = 1800;

test('any page of any remainder is what slicing the whole list gives', () => {
  const some = fc.record({
    keep: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    offset: fc.nat(MANY + 10),
    limit: fc.nat(700),
  });
  fc.assert(
    fc.property(some, ({ keep, offset, limit }) => {
      const known = new KnownJobs();
      const jobs = Array.from({ length: MANY }, (_, number) => loose(number));
      for (const job of jobs) known.add(job);
      // Every few hundred jobs another share of them is forgotten, all of them where it is 1.
      const kept = jobs.filter(({ number }) => number % (keep[Math.floor(number / 400) % keep.length] ?? 1) !== 0);
      for (const job of jobs) if (!kept.includes(job)) known.forget(job);
      expect(known.size).toBe(kept.length);
      expect(known.newest(offset, limit)).toEqual([...kept].reverse().slice(offset, offset + limit));
      expect([...known.ids()]).toEqual(kept.map(({ id }) => id));
      expect(known.get('job-0')).toBe(kept[0]?.number === 0 ? kept[0] : undefined);
    }),
    { numRuns: 25 },
  );
});
