/**
 * A token bucket, or GCRA: holds B at most, gets one back every so often, and admits a request that finds one. nginx
 * limit_req with nodelay, golang.org/x/time/rate, redis-cell, throttled, tower_governor, bucket4j's greedy refill. One that
 * is refilled in steps (Envoy's local limiter, Spring Cloud Gateway) is the same read by a clock that goes in those steps.
 */
import { countBelow } from '../../../../analysis/windows.ts';
import type { Answers } from '../answers.ts';
import { between, type Kind, type Numbers, type Scale } from '../kind.ts';

export const bucket: Kind = {
  algorithm: 'token-bucket',
  name: 'token bucket',
  counts: 'admitted',
  has: [],
  enforces: true,
  mayHave: (answers, at, scale) => sizesOf([answers], [answers], at, scale),
};

/** One whose limit is another one altogether: it gets back in a window what it holds. */
export const otherBucket: Kind = {
  ...bucket,
  refill: 'own',
  mayHave(answers, { windowMs }, { limit }) {
    // The more comes in, the less it has to hold to have admitted what it did, and the less it can hold to have refused.
    const lower = leastFrom(limit, (size) => leastSize(answers, size / windowMs.from));
    const above = leastFrom(limit, (size) => mostSize(answers, size / windowMs.to, 1) + 1);
    return between(lower, above - 1);
  },
};

/** The least whole number that is no less than what comes of it, where less comes of a greater one. */
function leastFrom(start: number, falling: (size: number) => number): number {
  const first = falling(start);
  let [from, to] = [Math.min(start, first), Math.max(start, first)];
  while (from < to && to < Number.POSITIVE_INFINITY) {
    const middle = Math.floor((from + to) / 2);
    if (falling(middle) > middle) from = middle + 1;
    else to = middle;
  }
  return to;
}

/**
 * One that is full again after a pause: Traefik forgets a source after about two seconds, and limiters with a small store
 * forget a client that others push out. However right its numbers are, it enforces nothing for a client that pauses.
 */
export const forgetfulBucket: Kind = {
  algorithm: 'token-bucket',
  name: 'token bucket, full again after a pause',
  counts: 'admitted',
  has: ['pauseMs'],
  enforces: false,
  mayHave(answers, at, scale) {
    // Of parts the least size wants those in which it surely forgot nothing, the greatest those in which it may have.
    return sizesOf(partsBetween(answers, at.pauseMs.from), partsBetween(answers, at.pauseMs.to), at, scale);
  },
};

/** What was sent between two pauses that long, each by itself. */
function partsBetween(answers: Answers, pauseMs: number): readonly Answers[] {
  const begins = [0];
  let lastMs = Number.POSITIVE_INFINITY;
  answers.rows.forEach(({ sentMs, answeredMs }, index) => {
    if (sentMs - lastMs >= pauseMs) begins.push(index);
    lastMs = index === 0 ? answeredMs : Math.max(lastMs, answeredMs);
  });
  // The longer a pause, the fewer there are: as many are the same.
  return answers.once(begins.length, () =>
    begins.map((from, part) => answers.with(answers.rows.slice(from, begins[part + 1]))),
  );
}

/** What it has to hold for what these admitted, and can hold for what those refused. */
function sizesOf(admitted: readonly Answers[], refused: readonly Answers[], { windowMs }: Numbers, { limit }: Scale) {
  const lower = Math.max(...admitted.map((one) => leastSize(one, limit / windowMs.from)));
  return between(lower, Math.min(...refused.map((one) => mostSize(one, limit / windowMs.to, lower))));
}

/** All that is admitted from one moment to another was in the bucket, or was refilled in between. */
function leastSize(answers: Answers, perMs: number): number {
  const { sentMs, answeredMs } = answers.surely('admitted');
  const grain = perMs * answers.grainMs;
  let [most, best, begun] = [1, Number.NEGATIVE_INFINITY, 0];
  for (let index = 0; index < answeredMs.length; index += 1) {
    const atMs = answeredMs[index] ?? 0;
    for (; (sentMs[begun] ?? Number.POSITIVE_INFINITY) <= atMs; begun += 1) {
      best = Math.max(best, perMs * (sentMs[begun] ?? 0) - begun);
    }
    most = Math.max(most, index + 1 - perMs * atMs + best - grain);
  }
  return Math.ceil(most - ROUNDING);
}

/**
 * A refusal found less than one: since some moment at which it was full at best, all but that had been taken. It came at
 * some moment of its way: the later that was, the more had been taken by then, and the more had come in.
 */
function mostSize(answers: Answers, perMs: number, lower: number): number {
  const { sentMs, answeredMs } = answers.possibly('admitted');
  let upper = Number.POSITIVE_INFINITY;
  let [best, ended, begun] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const refusal of answers.refused) {
    const [fromMs, toMs] = [refusal.sentMs - answers.grainMs, refusal.answeredMs + answers.grainMs];
    for (; (answeredMs[ended] ?? Number.POSITIVE_INFINITY) <= toMs; ended += 1) {
      best = Math.max(best, perMs * (answeredMs[ended] ?? 0) - ended);
    }
    // Refusals come in the order of sending, and so do the requests before them, but for those on their way together.
    while ((sentMs[begun] ?? Number.POSITIVE_INFINITY) <= fromMs) begun += 1;
    let [taken, most] = [begun, begun - perMs * fromMs];
    for (; (sentMs[taken] ?? Number.POSITIVE_INFINITY) <= toMs; taken += 1) {
      most = Math.max(most, taken + 1 - perMs * (sentMs[taken] ?? 0));
    }
    // Where it was full when this came, only what was on its way with it can have emptied it.
    const since = Math.max(most + best, taken - countBelow(answeredMs, fromMs));
    upper = Math.min(upper, Math.ceil(1 + since - ROUNDING) - 1);
    if (upper < lower) return upper;
  }
  return upper;
}

/** Of sums of many small numbers. */
const ROUNDING = 1e-6;
