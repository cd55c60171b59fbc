import { expect, test } from 'vitest';
import { Standstill } from './standstill.ts';

const job = (jobId: string, instId = 'one') => ({ instId, jobId });

test('the first job waits for all of it, later ones in turn and only for a moment, until one starts', () => {
  const still = new Standstill();
  const waits = (jobId: string, atMs: number) => () => {
    still.requireMove('status', job(jobId), atMs);
    still.see(job(jobId), 'queued', atMs);
  };
  still.see(job('a'), 'queued', 0);
  expect(waits('a', 24_999)).not.toThrow();
  expect(waits('a', 25_000)).not.toThrow();
  still.see(job('b'), 'queued', 24_000);
  still.see(job('c'), 'queued', 24_000);
  expect(waits('a', 25_100)).toThrow(/no queued job on one has started for 25 s or more/);
  // Each is looked at once, in case it has started.
  expect(waits('b', 25_100)).not.toThrow();
  expect(waits('b', 25_200)).toThrow();
  expect(waits('c', 34_999)).toThrow();
  expect(waits('b', 35_000)).not.toThrow();
  expect(waits('c', 35_100)).toThrow();
  expect(waits('b', 36_999)).not.toThrow();
  expect(waits('b', 37_000)).toThrow();
  expect(waits('c', 44_999)).toThrow();
  expect(waits('c', 45_000)).not.toThrow();
  expect(() => still.requireMove('runsync', job(''), 46_000)).toThrow();
  expect(() => still.requireMove('runsync', job('', 'other'), 46_000)).not.toThrow();
  expect(() => still.requireMove('status', job('ended'), 46_000)).not.toThrow();
  still.see(job('b'), 'running', 47_000);
  expect(waits('a', 47_100)).not.toThrow();
  expect(() => still.requireMove('runsync', job(''), 47_200)).not.toThrow();
});

test('an old job that is read again is no start, and one job that starts is enough for all', () => {
  const still = new Standstill();
  still.see(job('a'), 'queued', 0);
  still.see(job('old'), 'completed', 20_000);
  still.see(job('a'), 'queued', 25_000);
  expect(() => still.requireMove('status', job('a'), 25_000)).toThrow();
  const moving = new Standstill();
  moving.see(job('a'), 'queued', 0);
  moving.see(job('b'), 'queued', 19_000);
  moving.see(job('b'), 'completed', 20_000);
  moving.see(job('a'), 'queued', 44_999);
  expect(() => moving.requireMove('status', job('a'), 44_999)).not.toThrow();
});

test('where every job takes long, more is waited for', () => {
  const slow = new Standstill();
  slow.see(job('a'), 'queued', 0);
  slow.see(job('a'), 'running', 100);
  slow.see(job('a'), 'completed', 8000);
  slow.see(job('b'), 'queued', 9000);
  slow.see(job('b'), 'queued', 65_999);
  expect(() => slow.requireMove('status', job('b'), 65_999)).not.toThrow();
  slow.see(job('b'), 'queued', 66_000);
  expect(() => slow.requireMove('status', job('b'), 66_000)).toThrow(/for 25 s or more/);
});

test('a response is held for as long as a queued job may wait, where others are known to end', () => {
  const still = new Standstill();
  expect(still.holdsAtMostMs('runsync', 'one')).toBe(Number.POSITIVE_INFINITY);
  still.see(job('a'), 'queued', 0);
  still.see(job('a'), 'completed', 2000);
  expect(still.holdsAtMostMs('runsync', 'one')).toBe(31_000);
  expect(still.holdsAtMostMs('status', 'one')).toBe(Number.POSITIVE_INFINITY);
  still.see(job('b'), 'queued', 3000);
  expect(still.holdsAtMostMs('stream', 'one')).toBe(33_000);
  still.see(job('b'), 'queued', 60_000);
  expect(still.holdsAtMostMs('runsync', 'one')).toBe(Number.POSITIVE_INFINITY);
});
