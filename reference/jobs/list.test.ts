import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, DAY, opened } from './testing/opened.ts';

test('any page of the known jobs is what slicing the whole list gives, newest first', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(40), fc.nat(40), (count, offset, limit) => {
      const { endpoint } = opened({ workersMax: 0, purgedJobs: 'forgotten' });
      add(endpoint, 'forgotten', { ttlMs: DAY });
      endpoint.purge(() => true);
      const ids = Array.from({ length: count }, () => add(endpoint, 1, { ttlMs: DAY }).id);
      const { total, jobs } = endpoint.list(offset, limit);
      expect(total).toBe(count);
      expect(jobs.map(({ id }) => id)).toEqual(ids.reverse().slice(offset, offset + limit));
      endpoint.close();
    }),
  );
});
