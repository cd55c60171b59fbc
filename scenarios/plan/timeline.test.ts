/** The times of a rate probe: no window may ever hold more than the limit but where the probe means it to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { fullestWindow } from '../analysis/windows.ts';
import { pollTimes, slotAt, slots } from '../k6/lib/schedule.ts';
import type { RateParameters } from '../probe.ts';
import { burstOnly, IDLE_MARGIN_MS, pacePeriodMs, pollPeriodMs, rateTimes, shiftedBy, TINY_LIMIT } from './timeline.ts';

const JITTER_MS = 99;
const anyLimit = fc.oneof(
  fc.constantFrom(...limitsOf('requests').map(({ value }) => value)),
  fc.integer({ min: 1, max: 5000 }),
);
const WINDOW_MS = limitsOf('requests')[0]?.windowMs ?? 0;

const momentsOf = (span: RateParameters['pace']): number[] =>
  Array.from({ length: slots(span) }, (_, index) => slotAt(span, index));

test('a pace keeps within the limit in every window, whatever the jitter', () => {
  fc.assert(
    fc.property(anyLimit, fc.integer(), (limit, seed) => {
      const span = { fromMs: 0, periodMs: pacePeriodMs(limit, WINDOW_MS), untilMs: 3 * WINDOW_MS };
      const late = momentsOf(span).map((at, index) => at + ((index * 7919 + Math.abs(seed)) % (JITTER_MS + 1)));
      expect(fullestWindow(late, WINDOW_MS)).toBeLessThanOrEqual(limit);
    }),
  );
});

test('a pace stays close to the limit', () => {
  for (const { value, windowMs } of limitsOf('requests')) {
    const share = windowMs / pacePeriodMs(value, windowMs) / value;
    expect(share).toBeGreaterThan(value > 20 ? 0.98 : 0.97);
    expect(share).toBeLessThan(1);
  }
});

test('polls and the pace after them stay within the limit where they meet', () => {
  fc.assert(
    fc.property(anyLimit, fc.double({ min: 1, max: WINDOW_MS / 2, noNaN: true }), (limit, burstMs) => {
      const times = rateTimes({ limit, windowMs: WINDOW_MS, burstMs, paceWindows: 2 });
      // A few more around the moment at which the burst comes back weigh nothing on a limit of some size; the polls of
      // a small one are meant to be refused, and over when its pace begins.
      const extra = limit < 50 ? 2 : times.recovery.edgesMs.length;
      const both = [...pollTimes(times.recovery), ...momentsOf(times.pace)];
      if (limit > 20) expect(fullestWindow(both, WINDOW_MS)).toBeLessThanOrEqual(limit + extra);
      expect(fullestWindow(momentsOf(times.pace), WINDOW_MS)).toBeLessThanOrEqual(limit);
      if (limit <= 20) expect(times.pace.fromMs - times.recovery.untilMs).toBeGreaterThanOrEqual(WINDOW_MS);
    }),
  );
});

test('each part begins when what it must not meet is over', () => {
  fc.assert(
    fc.property(anyLimit, fc.double({ min: 1, max: WINDOW_MS / 3, noNaN: true }), (limit, burstMs) => {
      const times = rateTimes({ limit, windowMs: WINDOW_MS, burstMs, paceWindows: 2 });
      expect(times.burstAtMs).toBe(WINDOW_MS + IDLE_MARGIN_MS);
      expect(times.overAtMs).toBeGreaterThan(times.burstAtMs + burstMs);
      expect(times.overAtMs).toBeLessThan(times.burstAtMs + WINDOW_MS);
      expect(times.recovery.fromMs).toBeGreaterThan(times.overAtMs);
      expect(times.recovery.untilMs - times.recovery.fromMs).toBeGreaterThan(WINDOW_MS);
      expect(times.pace.fromMs).toBeGreaterThan(times.recovery.untilMs);
      expect(times.pace.untilMs - times.pace.fromMs).toBe(2 * WINDOW_MS);
    }),
  );
});

test.for([1000, 2000, 10_000, 60_000])('polls see the first half of a window of %i ms pass', (windowMs) => {
  const times = rateTimes({ limit: 100, windowMs, burstMs: windowMs / 10, paceWindows: 2 });
  expect(times.recovery.fromMs).toBeLessThan(times.burstAtMs + windowMs / 2);
});

test('the slowest burst still leaves room for what is beyond it in the same window', () => {
  const times = rateTimes({ limit: 2000, windowMs: WINDOW_MS, burstMs: 0.8 * WINDOW_MS, paceWindows: 2 });
  expect(times.overAtMs - times.burstAtMs).toBeLessThanOrEqual(WINDOW_MS / 2);
});

test('polls are slow enough to tell, and to stay within the limit unless that is small', () => {
  expect(pollPeriodMs(1000, 10_000)).toBe(250);
  expect(pollPeriodMs(22, 10_000)).toBeCloseTo(500);
  expect(pollPeriodMs(10, 10_000)).toBe(250);
  expect(pollPeriodMs(2, 10_000)).toBe(250);
});

const parameters: RateParameters = {
  kind: 'rate',
  limitId: 'run.rate',
  instId: 'a',
  operation: 'run',
  siblings: ['status'],
  limit: 10,
  windowMs: 1000,
  vus: 1,
  overCap: 5,
  overRefusals: 2,
  ...rateTimes({ limit: 10, windowMs: 1000, burstMs: 10, paceWindows: 2 }),
};

test('around the moment at which the burst is a window old polls come close together, and replace others', () => {
  for (const { value, windowMs } of limitsOf('requests')) {
    const { recovery, burstAtMs } = rateTimes({ limit: value, windowMs, burstMs: 10, paceWindows: 2 });
    const polls = pollTimes(recovery);
    const echo = burstAtMs + windowMs;
    const before = Math.max(...polls.filter((at) => at < echo));
    const after = Math.min(...polls.filter((at) => at > echo));
    expect(echo - before).toBeLessThanOrEqual(windowMs / 40);
    expect(after - echo).toBeLessThanOrEqual(windowMs / 40);
    expect(polls.length).toBeLessThanOrEqual(slots(recovery) + recovery.edgesMs.length);
    expect(polls).toEqual([...polls].sort((a, b) => a - b));
  }
});

test('what the pace leaves over is asked right behind it, and once more after a share of the window', () => {
  for (const { value, windowMs } of limitsOf('requests')) {
    const times = rateTimes({ limit: value, windowMs, burstMs: 0.5 * value, paceWindows: 2 });
    const last = slotAt(times.pace, slots(times.pace) - 1);
    expect(times.again?.atMs).toBeGreaterThan(last);
    expect(times.again?.atMs).toBeLessThan(last + 0.1 * windowMs);
    expect((times.again?.echoAtMs ?? 0) - (times.again?.atMs ?? 0)).toBeGreaterThanOrEqual(0.15 * windowMs);
  }
  expect(rateTimes({ limit: 10, windowMs: 1000, burstMs: 10, paceWindows: 0 }).again).toBeUndefined();
});

test('then polls go on past the next boundary of the documented length, and no more often than the recovery', () => {
  fc.assert(
    fc.property(anyLimit, fc.double({ min: 1, max: WINDOW_MS / 3, noNaN: true }), (limit, burstMs) => {
      const { again, recovery } = rateTimes({ limit, windowMs: WINDOW_MS, burstMs, paceWindows: 2 });
      if (!again?.returns) throw new Error('nothing is asked at the end');
      const { returns, atMs, echoAtMs } = again;
      const polls = momentsOf(returns);
      // Of a tiny limit the pace leaves nothing, and what a log gives back first is met by the polls before the echo.
      const exhaustedMs = limit <= TINY_LIMIT ? atMs : echoAtMs;
      expect(returns.fromMs).toBeGreaterThan(exhaustedMs);
      expect(polls.at(-1)).toBeGreaterThan(exhaustedMs + WINDOW_MS);
      if (limit <= TINY_LIMIT && echoAtMs > returns.fromMs)
        expect(polls.some((at) => Math.abs(at - echoAtMs) <= WINDOW_MS / 40)).toBe(true);
      expect(returns.periodMs).toBe(recovery.periodMs);
      expect(polls.at(-1)).toBeLessThan(exhaustedMs + 1.4 * WINDOW_MS);
    }),
  );
});

test('shifting moves every time by the same', () => {
  const moved = shiftedBy(parameters, 77);
  const times = (one: RateParameters) => [
    one.burstAtMs,
    one.overAtMs,
    one.recovery.fromMs,
    one.recovery.untilMs,
    one.pace.fromMs,
    one.pace.untilMs,
    ...one.recovery.edgesMs,
    one.again?.atMs ?? 0,
    one.again?.echoAtMs ?? 0,
    one.again?.returns?.fromMs ?? 0,
    one.again?.returns?.untilMs ?? 0,
  ];
  expect(times(moved)).toEqual(times(parameters).map((ms) => ms + 77));
  expect(shiftedBy(moved, -77)).toEqual(parameters);
});

test('a second burst has nothing after it', () => {
  const short = burstOnly(parameters);
  expect(slots(short.recovery) + slots(short.pace)).toBe(0);
  expect(short).toMatchObject({
    burstAtMs: parameters.burstAtMs,
    overAtMs: parameters.overAtMs,
    siblings: [],
    again: undefined,
  });
});
