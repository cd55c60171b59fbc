import { expect, test } from 'vitest';
import { pause, stopwatch, within } from './stopwatch.ts';

const quiet = () => new AbortController().signal;

test('a stopwatch starts at zero and never goes back', () => {
  const clock = stopwatch();
  const [first, second] = [clock(), clock()];
  expect(first).toBeGreaterThanOrEqual(0);
  expect(second).toBeGreaterThanOrEqual(first);
});

test('waiting ends with the promise', async () => {
  const clock = stopwatch();
  await within(Promise.resolve('done'), 60_000, quiet());
  expect(clock()).toBeLessThan(5000);
});

test('waiting ends when the time is over', async () => {
  await within(new Promise(() => {}), 5, quiet());
});

test('an abort ends a pause and a wait', async () => {
  await expect(pause(60_000, AbortSignal.abort())).rejects.toThrow(/abort/i);
  const stop = new AbortController();
  const waiting = within(new Promise(() => {}), 60_000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});
