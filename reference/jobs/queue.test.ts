import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from './job.ts';
import { Queue } from './queue.ts';
import { loose } from './testing/opened.ts';

test('jobs come in their order, whichever have left from the middle', () => {
  const move = fc.oneof(fc.constant('add' as const), fc.constant('take' as const), fc.nat(300));
  fc.assert(
    fc.property(fc.array(move, { maxLength: 400, size: 'max' }), (moves) => {
      const queue = new Queue();
      let expected: Job[] = [];
      moves.forEach((one, number) => {
        const job = one === 'add' ? loose(number) : one === 'take' ? queue.first : expected[one % expected.length];
        if (!job) return;
        if (one === 'add') {
          queue.add(job);
          expected.push(job);
        } else {
          job.state = one === 'take' ? 'IN_PROGRESS' : 'CANCELLED';
          queue.left();
          expected = expected.filter((other) => other !== job);
        }
        expect(queue.first).toBe(expected[0]);
        expect(queue.size).toBe(expected.length);
        expect(queue.waiting()).toEqual(expected);
      });
    }),
    { numRuns: 50 },
  );
});
