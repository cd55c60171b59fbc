/** The name of the algorithm, on limiters that are what they are by construction. */
import { expect, test } from 'vitest';
import {
  fixedWindow,
  type Limiter,
  rateParameters,
  simulateRate,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../testing/rate-simulation.ts';
import { analyseRate } from './rate.ts';

const [LIMIT, WINDOW_MS] = [1000, 10_000];

function nameOf(limiter: Limiter, limit = LIMIT): string {
  const parameters = rateParameters(limit, WINDOW_MS);
  return analyseRate(parameters, simulateRate(parameters, limiter), 0).algorithm;
}

test('a window aligned to a clock gives everything back at its boundary, before the burst is a window old', () => {
  expect(nameOf(fixedWindow(LIMIT, WINDOW_MS, 5000))).toBe('fixed-window');
});

test('a log, and a window that the burst began, both give everything back a window after the burst', () => {
  expect(nameOf(slidingLog(LIMIT, WINDOW_MS))).toBe('sliding-log-or-anchored-window');
  expect(nameOf(fixedWindow(LIMIT, WINDOW_MS, 10_000))).toBe('sliding-log-or-anchored-window');
});

test('a bucket trickles from the start', () => {
  expect(nameOf(tokenBucket(LIMIT, LIMIT, WINDOW_MS))).toBe('token-bucket');
});

test('a limiter that gives back now and then is no boundary', () => {
  let polls = 0;
  const log = slidingLog(LIMIT, WINDOW_MS);
  const uneven: Limiter = (atMs) => log(atMs) || (atMs > 12_000 && atMs < 19_000 && ++polls % 3 === 0);
  expect(nameOf(uneven)).toBe('sliding-counter');
});

test('what was never exhausted, or polled too seldom, has no name', () => {
  expect(nameOf(unlimited)).toBe('unknown');
  expect(nameOf(slidingLog(2, WINDOW_MS), 2)).toBe('unknown');
});
