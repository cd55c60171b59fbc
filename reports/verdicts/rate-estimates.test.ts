/**
 * What is said to whoever uses a sliding counter of few requests: its guarantee breaks although its value is the
 * documented one, and since it gives back late it must not be taken for one with another window.
 */
import { expect, test } from 'vitest';
import { analyseRate } from '../../scenarios/analysis/index.ts';
import { type Limiter, rateParameters, simulateRate, slidingLog } from '../../scenarios/testing/rate-simulation.ts';
import { limitFor } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { judgeRate } from './rate.ts';

const limit = limitFor('requests', 'purge-queue');
if (!limit) throw new Error('purge-queue has a rate limit');
const { id, value, windowMs } = limit;
const PHASES = 20;
const WORD = 'estimates how many requests of its last window still count';

/** Admits a request where with it, and the share of the last window that still counts, there are at most `most`. */
function strictCounter(most: number, phaseMs: number): Limiter {
  let [window, now, before] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (atMs) => {
    const position = (atMs - phaseMs) / windowMs;
    const index = Math.floor(position);
    if (index !== window) [before, now, window] = [index === window + 1 ? now : 0, 0, index];
    if (before * (1 - (position - index)) + now + 1 > most) return false;
    now += 1;
    return true;
  };
}

function judged(limiter: Limiter) {
  const parameters = rateParameters(value, windowMs, { limitId: id, operation: 'purge-queue', siblings: [] }, 2);
  const text = simulateRate(parameters, limiter, { beginsAtMs: 0, refusedStatus: 429, roundTripMs: 2 });
  const facts = analyseRate(parameters, text, 0);
  const endpoints = [{ instId: 'inst-a', workersMax: 3, dedicated: true }];
  const claims = judgeRate(facts, limit ?? never(), judgingContext([facts], endpoints));
  const claim = claims[`${id}.guarantee`];
  return {
    algorithm: facts.algorithm,
    verdict: claim?.verdict,
    said: claim?.observed.includes(WORD) ?? false,
    enforced: claims[`${id}.enforced`]?.verdict,
  };
}

function never(): never {
  throw new Error('unreachable');
}

test('a counter that refuses within its limit is told why, and nobody else is', () => {
  const phases = Array.from({ length: PHASES }, (_, index) => (index / PHASES) * windowMs);
  const counters = phases.map((phaseMs) => judged(strictCounter(value, phaseMs)));
  const named = counters.filter(({ verdict, algorithm }) => verdict === 'broken' && algorithm === 'sliding-counter');
  expect(named.length).toBeGreaterThan(0);
  for (const one of named) expect(one.said).toBe(true);
  for (const { enforced } of counters) expect(enforced).toBe('holds');
  for (const one of counters) if (!named.includes(one)) expect(one.said).toBe(false);
});

test('a limiter of too small a value has another fault, whatever it is', () => {
  expect(judged(slidingLog(value - 1, windowMs))).toMatchObject({ verdict: 'broken', said: false });
  for (const phaseMs of [0, windowMs / 3]) expect(judged(strictCounter(value - 1, phaseMs)).said).toBe(false);
});
