/** The times of a rate probe: a client within the limit never has more than that in any window, and then one that has. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../../schemas/limits.ts';
import { fullestWindow } from '../../analysis/windows.ts';
import { pollTimes, slotTimes } from '../../k6/lib/schedule.ts';
import { rateParameters } from '../../testing/rate-simulation.ts';
import { PACE_WINDOWS } from './plan.ts';
import { bursts, lastPaced, pacePeriodMs, rateFloorMs, rateTimes } from './timeline.ts';

const JITTER_MS = 99;
const anyLimit = fc.oneof(
  fc.constantFrom(...limitsOf('requests').map(({ value }) => value)),
  fc.integer({ min: 1, max: 5000 }),
);
const anyBurst = fc.double({ min: 1, max: 3000, noNaN: true });
const WINDOW_MS = limitsOf('requests')[0]?.windowMs ?? 0;

test('a pace keeps within the limit in every window, with any jitter, and stays close to it', () => {
  fc.assert(
    fc.property(anyLimit, fc.integer(), (limit, seed) => {
      const span = { fromMs: 0, periodMs: pacePeriodMs(limit, WINDOW_MS), untilMs: 3 * WINDOW_MS, cycle: limit };
      const late = slotTimes(span).map((at, index) => at + ((index * 7919 + Math.abs(seed)) % (JITTER_MS + 1)));
      expect(fullestWindow(late, WINDOW_MS)).toBeLessThanOrEqual(limit);
      expect(WINDOW_MS / span.periodMs / limit).toBeGreaterThan(0.97);
    }),
  );
});

test('no window has more than the limit until the overflow, for any expected duration of the burst', () => {
  fc.assert(
    fc.property(
      anyLimit,
      anyBurst,
      fc.constantFrom(1.1, ...Object.values(PACE_WINDOWS)),
      (limit, burstMs, paceWindows) => {
        const times = rateTimes({ limit, windowMs: WINDOW_MS, burstMs, paceWindows });
        const atOnce = (fromMs = 0) => Array.from({ length: limit }, (_, index) => fromMs + (index / limit) * burstMs);
        // Each connection sends a window after its own last answer.
        const again = atOnce(times.burstAtMs).map((ms) => Math.max(times.secondBurstAtMs ?? 0, ms + WINDOW_MS + 50));
        const all = [...atOnce(times.burstAtMs), ...again, ...times.paces.flatMap(slotTimes)];
        expect(fullestWindow(all, WINDOW_MS)).toBeLessThanOrEqual(limit);
        expect(times.overflowAtMs).toBeGreaterThan(times.paces.flatMap(slotTimes).at(-1) ?? 0);
      },
    ),
  );
});

test('all before the last pace is free again when that begins, and nothing of it at the overflow', () => {
  for (const { value, windowMs } of limitsOf('requests')) {
    const { paces, overflowAtMs } = rateParameters(value, windowMs);
    const [first = Number.NaN, last = Number.NaN] = paces.map(({ fromMs }) => fromMs);
    expect(overflowAtMs - last).toBeLessThan(windowMs);
    expect(last - first).toBeGreaterThan(2 * windowMs);
    const moments = paces.flatMap(slotTimes);
    expect(Math.max(...moments.filter((ms) => ms < last))).toBeLessThan(last - windowMs);
    expect(moments.filter((ms) => ms >= last)).toHaveLength(lastPaced({ paces }));
  }
});

test('then there is a silence, and refills are taken until all of it must be free', () => {
  fc.assert(
    fc.property(anyLimit, anyBurst, (limit, burstMs) => {
      const times = rateTimes({ limit, windowMs: WINDOW_MS, burstMs, paceWindows: PACE_WINDOWS.gate });
      const polls = pollTimes(times.polls);
      const [first = 0, ...later] = times.refillsAtMs;
      const before = Math.max(...polls.filter((ms) => ms < first));
      // Longer than the two seconds after which some limiters forget a silent client.
      expect(first - before).toBeGreaterThan(2000);
      expect((later.at(-1) ?? 0) - first).toBeGreaterThan(WINDOW_MS);
      expect(later).toEqual([...later].sort((a, b) => a - b));
      expect((later.at(-1) ?? 0) - times.overflowAtMs).toBeGreaterThan(2.1 * WINDOW_MS);
      expect(polls).toEqual([...polls].sort((a, b) => a - b));
    }),
  );
});

test('polls come close together where what was sent first leaves the window', () => {
  for (const { value, windowMs } of limitsOf('requests')) {
    const { polls, paces } = rateParameters(value, windowMs);
    const near = pollTimes(polls).map((ms) => Math.abs(ms - (paces.at(-1)?.fromMs ?? 0) - windowMs));
    expect(Math.min(...near)).toBeLessThan(0.004 * windowMs);
  }
});

test('where nothing may follow a burst, the overflow comes right behind it', () => {
  const times = rateTimes({ limit: 1000, windowMs: WINDOW_MS, burstMs: 500, paceWindows: null });
  expect(times.secondBurstAtMs).toBeUndefined();
  expect(times.paces).toEqual([]);
  expect(times.overflowAtMs).toBeLessThan(times.burstAtMs + WINDOW_MS / 5);
  expect(times.refillsAtMs).toEqual([...times.refillsAtMs].sort((a, b) => a - b));
});

test('the floor is what the windows alone take', () => {
  for (const { value, windowMs } of limitsOf('requests')) {
    const floorMs = rateFloorMs(rateParameters(value, windowMs), PACE_WINDOWS.gate);
    expect(floorMs).toBeGreaterThan(6 * windowMs);
    // Until its window is unspent a probe need not have started.
    expect(floorMs).toBeLessThan(windowMs + rateParameters(value, windowMs).untilMs);
  }
});

test('bursts are when as much is sent as can be', () => {
  const parameters = rateParameters(1000, WINDOW_MS);
  const moments = bursts(parameters).map(({ fromMs }) => fromMs);
  expect(moments).toEqual([parameters.burstAtMs, parameters.secondBurstAtMs, parameters.overflowAtMs]);
  for (const { fromMs, untilMs } of bursts(parameters)) expect(untilMs).toBeGreaterThan(fromMs);
});
