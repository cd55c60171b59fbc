import { expect, test } from 'vitest';
import type { ResultLimit } from '../schemas/results.ts';
import { timelineOf } from './timeline.ts';

const limit = (admitted: readonly number[], refused: readonly number[]): ResultLimit => ({
  id: 'run.rate',
  kind: 'requests',
  operations: ['run'],
  documented: { value: 10, windowMs: 1000 },
  measured: null,
  verdict: 'fail',
  checks: ['run.rate.guarantee'],
  pictures: [{ kind: 'arrivals', binMs: 100, windowMs: 1000, limit: 10, admitted, refused, inWindow: [4, 8, 8] }],
});

test('requests are drawn by time, with how many were admitted within a window and refused in all', () => {
  expect(timelineOf({ id: 'run.rate.guarantee' }, { limits: [limit([4, 8, 0], [0, 0, 3])] })).toEqual({
    admitted: '▄█· over 300 ms, at most 8 within 1 s',
    refused: '··█ 3 in all',
  });
});

test('a long probe is drawn in few columns, in which nothing is lost', () => {
  const refused = Array.from({ length: 600 }, (_, index) => (index === 599 ? 1 : 0));
  const timeline = timelineOf(
    { id: 'run.rate.guarantee' },
    {
      limits: [
        limit(
          refused.map(() => 1),
          refused,
        ),
      ],
    },
  );
  expect(timeline?.refused).toBe(`${'·'.repeat(59)}█ 1 in all`);
});

test('a check of another kind has no timeline', () => {
  expect(timelineOf({ id: 'run.payload.guarantee' }, { limits: [limit([1], [])] })).toBeUndefined();
});
