import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { realClock, virtualClock } from './clock.ts';

test('the real clock never wakes a sleeper early', async () => {
  for (const ms of [0.4, 1, 3.7]) {
    const start = realClock.now();
    await realClock.sleep(ms);
    expect(realClock.now() - start).toBeGreaterThanOrEqual(ms);
  }
});

test('a sleep so short that it is over before its timer is set ends like any other', async () => {
  const { signal } = new AbortController();
  for (let count = 0; count < 1000; count += 1) await realClock.sleep(Number.MIN_VALUE, signal);
});

test('the real clock tells milliseconds since the epoch and does not go backwards', () => {
  const before = realClock.now();
  expect(before).toBeGreaterThan(Date.UTC(2020, 0, 1));
  expect(realClock.now()).toBeGreaterThanOrEqual(before);
});

test.for([
  ['real', realClock],
  ['virtual', virtualClock()],
] as const)('a sleep on the %s clock ends when its signal aborts', async ([, clock]) => {
  const stop = new AbortController();
  const sleep = clock.sleep(3_600_000, stop.signal);
  const reason = new Error('enough');
  stop.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  await expect(clock.sleep(1, stop.signal)).rejects.toBe(reason);
  await expect(clock.sleep(0, stop.signal)).rejects.toBe(reason);
});

test.for([
  ['real', realClock],
  ['virtual', virtualClock()],
] as const)('no time at all is slept at once on the %s clock', async ([, clock]) => {
  await clock.sleep(0);
  await clock.sleep(-5);
  await clock.sleep(Number.NaN);
});

test('the virtual clock jumps over half an hour', async () => {
  const clock = virtualClock({ startMs: 1000 });
  const began = performance.now();
  await clock.sleep(30 * 60_000);
  expect(clock.now()).toBe(1000 + 30 * 60_000);
  expect(performance.now() - began).toBeLessThan(1000);
  expect(clock.sleeping).toBe(0);
});

test('the virtual clock stands still while promises and event loop turns follow each other', async () => {
  const clock = virtualClock({ startMs: 0 });
  let woke = false;
  const sleeper = clock.sleep(10).then(() => {
    woke = true;
  });
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    expect(clock.now()).toBe(0);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  expect(woke).toBe(false);
  await sleeper;
  expect(clock.now()).toBe(10);
});

test('sleepers wake in the order of their times, those of one moment in the order they went to sleep', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 20 }), async (times) => {
      const clock = virtualClock({ startMs: 0, quietTurns: 2 });
      const woken: { at: number; index: number }[] = [];
      await Promise.all(
        times.map(async (ms, index) => {
          await clock.sleep(ms);
          woken.push({ at: ms, index });
          expect(clock.now()).toBe(ms);
        }),
      );
      const expected = times.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at || a.index - b.index);
      expect(woken).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('a sleeper that is given up does not hold the clock', async () => {
  const clock = virtualClock({ startMs: 0 });
  const stop = new AbortController();
  const given = clock.sleep(5, stop.signal).catch(() => 'given up');
  const kept = clock.sleep(50);
  stop.abort();
  expect(await given).toBe('given up');
  expect(clock.sleeping).toBe(1);
  await kept;
  expect(clock.now()).toBe(50);
});

test('no other file of the reference touches timers or clocks', () => {
  const forbidden =
    /\b(setTimeout|setInterval|setImmediate|Date\.now|performance\.now|new Date\(\)|timers\/promises)\b/;
  const strays = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'clock.ts')
    .filter((name) => forbidden.test(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')));
  expect(strays).toEqual([]);
});
