/**
 * Whether this process was kept from its work while it read a response. Pieces that arrived one by one then seem to
 * have arrived at once, through no fault of the target.
 */
import { machineClock } from './clock.ts';
import type { Reply } from './reply.ts';

export interface LoopWatch {
  /** Ends the watch; returns the longest that the event loop stood still, ms. */
  stop(): number;
}

const POLL_EVERY_MS = 20;
/** Of the time that an answer took. */
const HALF = 0.5;

/** @param now for tests: the machine's time, ms */
export function watchLoop(everyMs = POLL_EVERY_MS, now: () => number = machineClock.now): LoopWatch {
  let lastMs = now();
  let longestMs = 0;
  const observe = (): void => {
    const atMs = now();
    longestMs = Math.max(longestMs, atMs - lastMs - everyMs);
    lastMs = atMs;
  };
  const timer = setInterval(observe, everyMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      observe();
      return Math.round(longestMs);
    },
  };
}

/** Why nothing can be said about when the pieces of an answer came; null where they were read as they came. */
export function unreadFor({ stalledMs = 0, sentMs, endMs }: Reply): string | null {
  const wholeMs = Math.round(endMs - sentMs);
  if (stalledMs === 0 || stalledMs < wholeMs * HALF) return null;
  return `this process was stalled for ${stalledMs} of the ${wholeMs} ms of the response`;
}
