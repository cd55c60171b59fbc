/**
 * How much the held-request sender sends, and the long polls for a freed slot: shared by the senders, which keep to it,
 * and the planner, which announces it. Pure.
 */

/** So many connections are being made at once: more would overflow a listener's backlog, not its limit. */
export const BATCH = 100;

/** Waits before each try of a slot, ms: a target may take its time to give it back, and only a bad one takes all of it. */
export interface Tries {
  /** Of one that an answer freed. */
  readonly freeMs: readonly number[];
  /** Of one that an abort freed: a client that went away takes a target longer to notice. */
  readonly abortMs: readonly number[];
}

export const TRIES: Tries = { freeMs: [0, 300, 700, 1500, 3500], abortMs: [200, 300, 500, 1000, 2500, 7500] };
/** Tries of a freed slot, of another one for a request that is aborted, and of the slot that this one held. */
export const FREED_REQUESTS = 2 * TRIES.freeMs.length + TRIES.abortMs.length;
/** Of each slot, one that an abort freed and one that an answer did, where requests wait by themselves. */
export const LONG_POLL_TRIES = 3;
/** Slow jobs: others wait on the first, the one that is aborted on the second, where there is a worker for it. */
export const WAITED_ON = 2;
/** The same on a target that gives each slot back at once: one takes a freed slot, one is aborted, one takes its. */
const FREED_AT_ONCE = 3;
/**
 * In the end half of the slots are freed, so many at most, and then all of those and some more are requested at the
 * same moment: a target that reads its count first and writes it later admits more than it has slots. Half a batch
 * each, so that the border lies within one.
 */
export const REFILL = BATCH / 2;
const refillAtMost = (limit: number, extra: number): number =>
  Math.min(Math.ceil(limit / 2), REFILL) + Math.min(extra, REFILL);
/**
 * So often control requests may be sent: for the waves, for each of the three requests that take a freed slot, for those
 * that take the last ones together, and again for some that a slow target refused only then.
 */
export const CONTROL_ROUNDS = 8;

/** From the other address when nothing else is in flight, and while the first address has all its slots taken. */
export const ELSEWHERE_ALONE = 1;
export const ELSEWHERE_MEANWHILE = 3;
/** From the first address behind those: are its slots still taken? */
export const STILL_FULL = 1;
export const ELSEWHERE_REQUESTS = ELSEWHERE_ALONE + ELSEWHERE_MEANWHILE + STILL_FULL;

/** A GET whose body is held back, where POST would do as well: does the target wait for it? */
export const SCOUT_REQUESTS = 1;

/**
 * Where nothing is refused the probe goes on to so many times the limit, which finds two processes that count apart; or,
 * where one whole request takes its time, sends both waves again as whole requests.
 */
const FURTHER_TIMES = 2;
/** A small limit costs little to go on from: as four processes would. */
const FURTHER_LEAST = 90;

/** Most held requests of a probe, other addresses and scouts apart. */
export function heldAtMost(limit: number, extra: number, rate: number): number {
  const freed = limit + extra + FREED_REQUESTS + refillAtMost(limit, extra);
  return Math.min(rate, Math.max(freed, FURTHER_TIMES * (limit + extra) + 1, FURTHER_LEAST));
}

/** What a target that keeps the limit and gives each slot back at once is sent. */
export const heldUsually = (limit: number, extra: number): number =>
  limit + extra + FREED_AT_ONCE + refillAtMost(limit, extra);

/**
 * `within`, `beyond`, three from or because of another address, what goes further, and what takes the last slots: each may
 * end in a small batch.
 */
const WAVES = 7;

/** Response times: one measured at the beginning, and one after each batch. */
export function timingsAtMost(held: number): number {
  return 1 + WAVES + Math.ceil(held / BATCH);
}
