/** The machine seen through made-up counters, and this very process through its own loop. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeLedger } from '../../schemas/ledger.ts';
import { encodeMachine } from '../../schemas/ledger-machine.ts';
import { type ProcessorTimes, watchMachine } from './machine-watch.ts';

describe('with made-up counters', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Two cores; idle ms of each half second in turn. */
  function sources(idle: readonly number[]) {
    let at = -1;
    const times: ProcessorTimes = { idleMs: 0, totalMs: 0 };
    const next = (): ProcessorTimes => {
      at += 1;
      const until = idle.slice(0, at);
      return { idleMs: until.reduce((sum, one) => sum + one, times.idleMs), totalMs: until.length * 1000 };
    };
    return next;
  }

  test('the share that is left, over all and in the busiest second', () => {
    const watch = watchMachine(false, { processors: sources([1000, 1000, 0, 100, 900, 600]), peakBytes: () => null });
    vi.advanceTimersByTime(2500);
    // The sixth half second ends with the watch.
    const { idleShare, leastIdleShare, loopLagMs } = watch.stop();
    expect(idleShare).toBeCloseTo(3600 / 6000, 6);
    expect(leastIdleShare).toBeCloseTo(100 / 2000, 6);
    expect(loopLagMs).toBeNull();
  });

  test('a probe that is over before the first sample has no share', () => {
    const watch = watchMachine(false, { processors: sources([0, 1000]), peakBytes: () => null });
    vi.advanceTimersByTime(20);
    expect(watch.stop()).toMatchObject({ idleShare: null, leastIdleShare: null });
  });

  test('no time, no share', () => {
    const watch = watchMachine(false, { processors: () => ({ idleMs: 5, totalMs: 10 }), peakBytes: () => null });
    expect(watch.stop()).toEqual({ idleShare: null, leastIdleShare: null, loopLagMs: null, peakBytes: null });
  });

  test('the memory of the process that was named, as last seen', () => {
    const sizes = [100, 300, null];
    const requested: number[] = [];
    const watch = watchMachine(false, {
      processors: () => ({ idleMs: 0, totalMs: 0 }),
      peakBytes: (pid) => {
        requested.push(pid);
        return sizes[requested.length - 1] ?? null;
      },
    });
    vi.advanceTimersByTime(500);
    expect(requested).toEqual([]);
    watch.follow(42);
    vi.advanceTimersByTime(1000);
    expect(watch.stop().peakBytes).toBe(300);
    // Often, since a probe may be over soon.
    expect(requested.length).toBeGreaterThan(10);
    expect(new Set(requested)).toEqual(new Set([42]));
  });
});

test('a loop that stands still is seen, one that does not is not', async () => {
  const watch = watchMachine(true);
  await delay(50);
  const untilMs = performance.now() + 120;
  while (performance.now() < untilMs);
  await delay(50);
  const { loopLagMs } = watch.stop();
  expect(loopLagMs).toBeGreaterThanOrEqual(80);
});

test('this machine has processors, and this process a size where there is /proc', async () => {
  const watch = watchMachine(false);
  watch.follow(process.pid);
  await delay(600);
  const { idleShare, peakBytes } = watch.stop();
  expect(idleShare).toBeGreaterThanOrEqual(0);
  expect(idleShare).toBeLessThanOrEqual(1);
  if (process.platform === 'linux') expect(peakBytes).toBeGreaterThan(1_000_000);
});

test('its line of the ledger is read back, and is no unreadable one', () => {
  const load = { idleShare: 0.5, leastIdleShare: 0.123, loopLagMs: null, peakBytes: 4096 };
  expect(decodeLedger(encodeMachine(load))).toMatchObject({ entries: [], marks: [], unreadable: 0, machine: load });
  const other = decodeLedger('{"machine":{"idleShare":"much"}}');
  expect(other).toMatchObject({ entries: [], marks: [], unreadable: 1 });
  expect(other.machine).toBeUndefined();
});
