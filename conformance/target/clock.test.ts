import { expect, test } from 'vitest';
import { machineClock } from './clock.ts';

test('it goes forward, and sleeps at least nearly as long as requested', async () => {
  const began = machineClock.now();
  await machineClock.sleep(20);
  expect(machineClock.now() - began).toBeGreaterThan(15);
});

test('a sleep can be ended, before and while it lasts', async () => {
  const stopper = new AbortController();
  const sleeping = machineClock.sleep(60_000, stopper.signal);
  stopper.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(machineClock.sleep(60_000, stopper.signal)).rejects.toThrow('enough');
});

test('a negative time is over at once', async () => {
  await machineClock.sleep(-5);
});
