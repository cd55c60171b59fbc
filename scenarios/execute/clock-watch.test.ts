import { expect, test, vi } from 'vitest';
import { decodeLedger, encodeMark } from '../../schemas/ledger.ts';
import { watchClock, withClockStep } from './clock-watch.ts';

test('a wall clock that keeps pace has not stepped', () => {
  const watch = watchClock(10, { wall: () => 1_000_000, monotonic: () => 5 });
  expect(watch.stop()).toBe(0);
});

test('the largest deviation counts, also when the clock is set back again', () => {
  vi.useFakeTimers();
  try {
    let offset = 0;
    const watch = watchClock(100, { wall: () => 1000 + offset, monotonic: () => 0 });
    offset = -3000;
    vi.advanceTimersByTime(100);
    offset = 10;
    vi.advanceTimersByTime(100);
    expect(watch.stop()).toBe(-3000);
  } finally {
    vi.useRealTimers();
  }
});

test('being kept from running between the two clocks is no step', () => {
  let now = 0;
  let stalls = 2;
  const wall = () => {
    // The process stands still right before the wall clock is read, twice.
    if (stalls > 0) {
      stalls -= 1;
      now += 40;
    }
    return 1000 + now;
  };
  const watch = watchClock(100, { wall, monotonic: () => now });
  stalls = 2;
  expect(watch.stop()).toBe(0);
});

test('the step is put between the two clocks of the last mark', () => {
  const marks = [
    encodeMark({ mark: 'start', wallMs: 1000, monotonicMs: 0.5 }),
    encodeMark({ mark: 'end', wallMs: 61_000, monotonicMs: 60_000.5 }),
  ];
  const ledger = decodeLedger(withClockStep(`${marks.join('\n')}\n`, 2500.4));
  expect(ledger.marks).toEqual([
    { mark: 'start', wallMs: 1000, monotonicMs: 0.5 },
    { mark: 'end', wallMs: 61_000, monotonicMs: 57_500.5 },
  ]);
});

test('a ledger without its last mark is left alone', () => {
  expect(withClockStep('{"mark":"start"}\n', 9)).toBe('{"mark":"start"}\n');
});
