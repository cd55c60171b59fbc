import { expect, test } from 'vitest';
import { burstMs, bytesPerMs, jobsApartMs, speedOf, workersAtLeast } from './assumptions.ts';
import { endpoint } from './testing/targets.ts';

const slow = { measured: true, roundTripMs: 10, quickJobMs: 110 };
const stuck = { measured: true, roundTripMs: 10, quickJobMs: null };

test('nothing measured counts as fast, and says that it is assumed', () => {
  expect(speedOf(null).measured).toBe(false);
  expect(speedOf({ roundTripMs: 7, quickJobMs: 70, chatMs: null })).toEqual({
    measured: true,
    roundTripMs: 7,
    quickJobMs: 70,
  });
});

test('an endpoint that finished a job has a worker, also when the number is not given', () => {
  expect(workersAtLeast(endpoint('a', null), slow)).toBe(1);
  expect(workersAtLeast(endpoint('a', null), stuck)).toBe(0);
  expect(workersAtLeast(endpoint('a', 7), stuck)).toBe(7);
});

test('a burst takes as long as its slowest constraint', () => {
  expect(burstMs(1000, 50, 100)).toBe(2000);
  expect(burstMs(1000, 50, 0.001)).toBe(500);
});

test('jobs are as far apart as the workers need, without the round trip', () => {
  expect(jobsApartMs(4, slow)).toBe(25);
  expect(jobsApartMs(0, slow)).toBe(Number.POSITIVE_INFINITY);
  expect(jobsApartMs(4, stuck)).toBe(Number.POSITIVE_INFINITY);
  expect(jobsApartMs(1, { measured: true, roundTripMs: 9, quickJobMs: 3 })).toBe(0);
  // What a submission takes as well is no work of a worker's.
  expect(jobsApartMs(2, { measured: true, roundTripMs: 1, quickJobMs: 110, requestMs: { run: 100 } })).toBe(5);
});

test('large bodies are quicker to a target that was measured to be close by', () => {
  const near = { measured: true, roundTripMs: 1, quickJobMs: 1 };
  expect(bytesPerMs(near)).toBeGreaterThan(bytesPerMs(slow));
  expect(bytesPerMs({ ...near, measured: false })).toBe(bytesPerMs(slow));
});
