/**
 * Time, behind one small interface, so that 30 minutes of retention take milliseconds in a test. This is the only file
 * of the reference that may touch timers or read a clock; a test greps for strays.
 */
import { Heap, type Placed } from './heap.ts';

// Who waits on the virtual clock: a heap, so that thousands of waiting requests cost a logarithm each.

interface Sleeper {
  /** When to wake it, milliseconds on the clock. */
  readonly at: number;
  readonly wake: () => void;
}

interface Waiting extends Sleeper, Placed {
  /** Rank among those of one moment: who went to sleep first wakes first. */
  readonly order: number;
}

export class Sleepers {
  readonly #heap = new Heap<Waiting>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  #order = 0;

  get size(): number {
    return this.#heap.size;
  }

  /** The earliest time at which a sleeper wakes; Infinity when there is none. */
  get next(): number {
    return this.#heap.first?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Returns how to take it out again, which does nothing once it has left. */
  add(sleeper: Sleeper): () => void {
    const waiting: Waiting = { ...sleeper, order: this.#order, place: -1 };
    this.#order += 1;
    this.#heap.add(waiting);
    return () => this.#heap.remove(waiting);
  }

  /** Removes all sleepers whose time has come, in the order of their times, then of going to sleep. */
  due(now: number): Sleeper[] {
    const due: Sleeper[] = [];
    for (let { first } = this.#heap; first && first.at <= now; first = this.#heap.first) {
      due.push(first);
      this.#heap.remove(first);
    }
    return due;
  }
}

export interface Clock {
  /** Milliseconds since the epoch, with fractions; never goes backwards. */
  now(): number;
  /** Resolves `ms` milliseconds later, never early; at once for 0 or less. Rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface VirtualClock extends Clock {
  /** How many sleepers are waiting; lets a test assert that nothing was left behind. */
  readonly sleeping: number;
}

/** Longest delay a Node timer takes; anything longer is slept in pieces. */
const LONGEST_TIMER_MS = 2_147_483_647;

const wallNow = (): number => performance.timeOrigin + performance.now();

/** Promise of a wake-up that can be given up through a signal; `arm` starts it and returns how to disarm it. */
function cancellable(signal: AbortSignal | undefined, arm: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    // Set before arming: a wake-up may come at once, when the time is over before the timer is set.
    let disarm = (): void => undefined;
    const onAbort = (): void => {
      disarm();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    disarm = arm(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}

/** The machine's time. A Node timer may fire a fraction early, so a sleep checks the clock before it ends. */
export const realClock: Clock = {
  now: wallNow,
  sleep(ms, signal) {
    if (!(ms > 0) && !signal?.aborted) return Promise.resolve();
    const until = wallNow() + ms;
    return cancellable(signal, (wake) => {
      let timer: NodeJS.Timeout | undefined;
      const arm = (): void => {
        const left = until - wallNow();
        if (left <= 0) wake();
        else timer = setTimeout(arm, Math.min(Math.ceil(left), LONGEST_TIMER_MS));
      };
      arm();
      return () => clearTimeout(timer);
    });
  },
};

/**
 * A clock that stands still while anything can run and jumps to the next sleeper when nothing can. "Nothing can run"
 * means `quietTurns` turns of the event loop in which this clock was not used: promise chains, streams and an
 * in-process HTTP client need a few turns between two uses of the clock, real input or output more.
 */
export function virtualClock(options: { startMs?: number; quietTurns?: number } = {}): VirtualClock {
  const { startMs = Date.UTC(2030, 0, 1), quietTurns = 16 } = options;
  const sleepers = new Sleepers();
  let time = startMs;
  let uses = 0;
  let watching = false;

  function advance(): void {
    // The last sleeper may have given up in this very turn; then there is nowhere to jump to.
    if (sleepers.size === 0) return;
    time = Math.max(time, sleepers.next);
    for (const one of sleepers.due(time)) one.wake();
  }

  function watch(): void {
    if (watching) return;
    watching = true;
    let seen = uses;
    let quiet = 0;
    const turn = (): void => {
      quiet = uses === seen ? quiet + 1 : 0;
      seen = uses;
      if (quiet >= quietTurns) {
        advance();
        quiet = 0;
      }
      watching = sleepers.size > 0;
      if (watching) setImmediate(turn);
    };
    setImmediate(turn);
  }

  return {
    now() {
      uses += 1;
      return time;
    },
    sleep(ms, signal) {
      uses += 1;
      if (!(ms > 0) && !signal?.aborted) return Promise.resolve();
      return cancellable(signal, (wake) => {
        const leave = sleepers.add({ at: time + ms, wake });
        watch();
        return leave;
      });
    },
    get sleeping() {
      return sleepers.size;
    },
  };
}
