/**
 * Watches the wall clock against the monotonic one while k6 runs. k6's only clock is the wall clock, so a step of it
 * would distort a ledger's times without a trace; here it is seen, and `withClockStep` puts it into the ledger.
 */
import { performance } from 'node:perf_hooks';

export interface ClockWatch {
  /** Ends the watch; returns the largest deviation seen, ms, with its sign. */
  stop(): number;
}

interface Clocks {
  wall(): number;
  monotonic(): number;
}

/** Between two readings a clock can be stepped forth and back unnoticed. */
const POLL_EVERY_MS = 200;
/**
 * The two clocks are read one after the other, and a process kept from running in between would see a step where there
 * is none. So a reading counts only when it took no longer than this; on a machine too busy for that, the quickest.
 */
const READ_WITHIN_MS = 0.5;
const READINGS = 5;

const real: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/** @param clocks for tests: wall and monotonic time, ms */
export function watchClock(everyMs = POLL_EVERY_MS, clocks = real): ClockWatch {
  const first = clockOffset(clocks);
  let largest = 0;
  const compare = () => {
    const step = clockOffset(clocks) - first;
    if (Math.abs(step) > Math.abs(largest)) largest = step;
  };
  const timer = setInterval(compare, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      compare();
      return largest;
    },
  };
}

/** Wall clock minus monotonic clock, ms. */
export function clockOffset({ wall, monotonic } = real): number {
  let best = { tookMs: Number.POSITIVE_INFINITY, offsetMs: 0 };
  for (let reading = 0; reading < READINGS && best.tookMs > READ_WITHIN_MS; reading += 1) {
    const before = monotonic();
    const wallMs = wall();
    const tookMs = monotonic() - before;
    if (tookMs < best.tookMs) best = { tookMs, offsetMs: wallMs - before - tookMs / 2 };
  }
  return best.offsetMs;
}

/** Rewrites the `end` mark of a ledger whose two clocks are the same one, so that they differ by `stepMs`. */
export function withClockStep(ledger: string, stepMs: number): string {
  return ledger.replace(/^(\{"mark":"end","wallMs":[\d.]+,"monotonicMs":)([\d.]+)(\})$/m, (_, head, ms, tail) => {
    return head + (Number(ms) - Math.round(stepMs)).toString() + tail;
  });
}
