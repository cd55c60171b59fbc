import { expect, test } from 'vitest';
import { paused } from './own.ts';

test('turns begin no sooner than so far apart, however long each takes', async () => {
  const turn = paused(20, new AbortController().signal);
  const begun: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    await turn();
    begun.push(performance.now());
  }
  const apart = begun.slice(1).map((atMs, index) => atMs - (begun[index] ?? 0));
  // Timers may fire up to a millisecond early, never by more.
  for (const ms of apart) expect(ms).toBeGreaterThan(18);
});

test('the wait ends when the run does', async () => {
  const stop = new AbortController();
  const turn = paused(60_000, stop.signal);
  await turn();
  const waiting = turn();
  stop.abort();
  await expect(waiting).rejects.toThrow();
});
