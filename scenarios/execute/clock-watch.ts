/**
 * Watches the wall clock against the monotonic one while k6 runs. k6's only clock is the wall clock, so a step of it
 * would distort a ledger's times without a trace; here it is seen, and `withClockStep` puts it into the ledger.
 */
import { performance } from 'node:perf_hooks';

export interface ClockWatch {
  /** Ends the watch; returns the largest deviation seen, ms, with its sign. */
  stop(): number;
}

/** @param clocks for tests: wall and monotonic time, ms */
export function watchClock(everyMs = 500, clocks = { wall: Date.now, monotonic: () => performance.now() }): ClockWatch {
  const offset = () => clocks.wall() - clocks.monotonic();
  const first = offset();
  let largest = 0;
  const look = () => {
    const step = offset() - first;
    if (Math.abs(step) > Math.abs(largest)) largest = step;
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      look();
      return largest;
    },
  };
}

/** Rewrites the `end` mark of a ledger whose two clocks are the same one, so that they differ by `stepMs`. */
export function withClockStep(ledger: string, stepMs: number): string {
  return ledger.replace(/^(\{"mark":"end","wallMs":[\d.]+,"monotonicMs":)([\d.]+)(\})$/m, (_, head, ms, tail) => {
    return head + (Number(ms) - Math.round(stepMs)).toString() + tail;
  });
}
