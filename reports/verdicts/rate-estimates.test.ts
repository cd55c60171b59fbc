/**
 * What is said of a sliding counter: it estimates how many requests of its last window still count, and so refuses some
 * that are within the limit. Its value is the documented one, whatever was spent before, and nobody else is excused.
 */
import { describe, expect, test } from 'vitest';
import { plannedFor, probed, probeOf } from '../../scenarios/testing/rate-probed.ts';
import { type Limiter, slidingCounter, slidingLog, strictCounter } from '../../scenarios/testing/rate-simulation.ts';
import { limitsOf, type RateLimit } from '../../schemas/limits.ts';
import { seeded } from '../../schemas/seeded.ts';
import { judgingContext } from './context.ts';
import { measureRate } from './measure.ts';
import { judgeRate } from './rate.ts';

const PHASES = Number(process.env.WINDOW_PHASES ?? 10);
const phases = Array.from({ length: PHASES }, (_, index) => (index + 0.31) / PHASES);
const WORD = 'estimates how many requests of its last window still count';
const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];

/** So long before its burst, windows, requests of others come first: what a sliding log no longer counts. */
const BEFORE_WINDOWS = 1.1;

/** @param spent by others, before the first time only */
function judged(limit: RateLimit, limiter: () => Limiter, spent = 0) {
  const parameters = probeOf(limit, plannedFor(limit && { limit: limit.value, windowMs: limit.windowMs }));
  const firstAtMs = parameters.burstAtMs - BEFORE_WINDOWS * limit.windowMs;
  let times = 0;
  const facts = probed(parameters, () => {
    const one = limiter();
    times += 1;
    if (times === 1) for (let count = 0; count < spent; count += 1) one(firstAtMs);
    return one;
  });
  const claims = judgeRate(facts, limit, judgingContext([facts], endpoints));
  const claim = claims[`${limit.id}.guarantee`];
  return {
    measured: measureRate(facts),
    guarantee: claim?.verdict,
    excused: (claim?.verdict === 'inconclusive' && claim.reason?.includes(WORD)) ?? false,
    enforced: claims[`${limit.id}.enforced`]?.verdict,
  };
}

const rows = limitsOf('requests')
  .filter(({ value }) => value <= 1000)
  .map((limit) => [limit.id, limit] as const);
const counters = { strict: strictCounter, loose: slidingCounter };
const cases = rows.flatMap(([id, limit]) =>
  (['strict', 'loose'] as const).flatMap((kind) => [0, 1, 3].map((spent) => [id, kind, spent, limit] as const)),
);

test.each(cases)('%s: a %s counter, after %i of others', { timeout: 60_000 }, (_, kind, spent, limit) => {
  const all = (limit.value < 1000 ? phases : phases.slice(0, 3)).map((phase) =>
    judged(limit, () => counters[kind](limit.value, limit.windowMs, phase * limit.windowMs), spent),
  );
  for (const { guarantee, excused, enforced, measured } of all) {
    expect(['holds', 'inconclusive']).toContain(guarantee);
    expect(enforced).not.toBe('broken');
    expect(measured?.lower).toBeLessThanOrEqual(limit.value);
    expect(measured?.upper).toBeGreaterThanOrEqual(limit.value);
    if (excused && measured?.upper === limit.value) expect(measured.lower).toBe(limit.value);
  }
  // A boundary of its windows may have been in the second burst.
  const exact = all.filter(({ measured }) => measured?.upper === limit.value);
  expect(exact.length).toBeGreaterThan(0.7 * all.length);
});

describe.each(rows)('%s: nobody else is excused', { timeout: 60_000 }, (_, limit) => {
  const { value, windowMs } = limit;
  const phaseMs = 0.31 * windowMs;
  const others = {
    'a log of one fewer': () => slidingLog(value - 1, windowMs),
    'a strict counter of one fewer': () => strictCounter(value - 1, windowMs, phaseMs),
    'a log of a longer window': () => slidingLog(value, 1.1 * windowMs),
    'a log that refuses one in a hundred': () => {
      const random = seeded(value);
      const log = slidingLog(value, windowMs);
      return (atMs: number) => random() > 0.01 && log(atMs);
    },
  };
  test.each(Object.keys(others) as (keyof typeof others)[])('%s', (name) => {
    for (const spent of [0, 1]) expect(judged(limit, others[name], spent).excused).toBe(false);
  });
});

test.each(rows)('%s: a counter of one fewer is never measured as one of the limit', { timeout: 60_000 }, (_, limit) => {
  const { value, windowMs } = limit;
  const fine = Array.from({ length: value < 1000 ? 4 * PHASES : 3 }, (_, index) => (index + 0.31) / (4 * PHASES));
  for (const phase of fine) {
    const { measured } = judged(limit, () => slidingCounter(value - 1, windowMs, phase * windowMs), 1);
    if (measured) expect(measured.lower).toBeLessThan(value);
  }
});
