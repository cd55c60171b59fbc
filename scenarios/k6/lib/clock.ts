/**
 * The one clock of a k6 script: milliseconds with fractions since the test run started. k6 derives it (and its request
 * timings) from the wall clock and has no other, so a step of the wall clock is in it; the executor, which has a
 * monotonic clock, watches for one and writes what it saw into the ledger's last mark.
 */
import { sleep } from 'k6';
import { instance } from 'k6/execution';

/** k6 makes a new object each time `instance` is read, which takes five times as long as reading the time from it. */
let own: typeof instance | undefined;

export function now(): number {
  own ??= instance;
  return own.currentTestRunDuration;
}

/** Returns how late it is, ms; 0 when it slept. */
export function sleepUntil(atMs: number): number {
  const wait = atMs - now();
  if (wait > 0) sleep(wait / 1000);
  return Math.max(0, -wait);
}
