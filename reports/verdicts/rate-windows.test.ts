/**
 * Limits of the right value in windows of the wrong length, in every way to limit and on every row: what is too short
 * is no enforcement of the limit, and what is too long no guarantee of it.
 */
import { describe, expect, test } from 'vitest';
import { plannedFor, probed, probeOf } from '../../scenarios/testing/rate-probed.ts';
import {
  fixedWindow,
  type Limiter,
  slidingCounter,
  slidingLog,
  tokenBucket,
} from '../../scenarios/testing/rate-simulation.ts';
import { limitsOf, type RateLimit } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { judgeRate } from './rate.ts';

const endpoints = [{ instId: 'inst-a', workersMax: 30, dedicated: true }];

const kinds = {
  log: (value, windowMs) => slidingLog(value, windowMs),
  window: (value, windowMs, phaseMs) => fixedWindow(value, windowMs, phaseMs),
  counter: (value, windowMs, phaseMs) => slidingCounter(value, windowMs, phaseMs),
  bucket: (value, windowMs) => tokenBucket(value, value, windowMs),
  tenths: inTenths,
} satisfies Record<string, (value: number, windowMs: number, phaseMs: number) => Limiter>;

type Kind = keyof typeof kinds;

/** What is said of such a limiter, with a second burst where one is asked for. */
function verdictsOn(limit: RateLimit, kind: Kind, lengthMs: number, phaseMs: number) {
  const parameters = probeOf(limit, plannedFor({ limit: limit.value, windowMs: limit.windowMs }));
  const facts = probed(parameters, () => kinds[kind](limit.value, lengthMs, phaseMs));
  const claims = judgeRate(facts, limit, judgingContext([facts], endpoints));
  return { guarantee: claims[`${limit.id}.guarantee`]?.verdict, enforced: claims[`${limit.id}.enforced`]?.verdict };
}

/** The last tenths of a window on the clock, of which the one that has begun is one: usual, and no exact count. */
function inTenths(value: number, windowMs: number, phaseMs: number): Limiter {
  const admitted: number[] = [];
  const tenthOf = (atMs: number) => Math.floor((atMs - phaseMs) / (windowMs / 10));
  return (atMs) => {
    while (admitted.length > 0 && tenthOf(admitted[0] ?? 0) <= tenthOf(atMs) - 10) admitted.shift();
    if (admitted.length >= value) return false;
    admitted.push(atMs);
    return true;
  };
}

const PHASES = [0.08, 0.42];
const rows = limitsOf('requests').map((limit) => [limit.id, limit] as const);
/** Of two in ten seconds so little is seen that it is not always known what they are. */
const isTiny = ({ value }: RateLimit) => value <= 4;

describe.each(rows)('%s', { timeout: 60_000 }, (_, limit) => {
  test.each(PHASES)('a log that is kept in tenths of the window, begun at %f of it', (phase) => {
    const seen = verdictsOn(limit, 'tenths', limit.windowMs, phase * limit.windowMs);
    expect(seen).toEqual({ guarantee: 'holds', enforced: 'holds' });
  });

  const cases = (['log', 'window', 'counter', 'bucket'] as const).flatMap((kind) =>
    PHASES.map((phase) => [kind, phase] as const),
  );

  test.each(cases)('a %s that is a tenth too short, begun at %f of it', (kind, phase) => {
    const seen = verdictsOn(limit, kind, 0.9 * limit.windowMs, phase * limit.windowMs);
    if (!isTiny(limit)) expect(seen.enforced).not.toBe('holds');
    // Whatever a counter estimates, it may refuse within its limit.
    if (kind !== 'counter') expect(seen.guarantee).not.toBe('broken');
    if (kind === 'log' && !isTiny(limit)) expect(seen.enforced).toBe('broken');
  });

  test.each(cases)('a %s that is a tenth too long, begun at %f of it', (kind, phase) => {
    const seen = verdictsOn(limit, kind, 1.1 * limit.windowMs, phase * limit.windowMs);
    expect(seen.enforced).not.toBe('broken');
    if (kind === 'log') expect(seen.guarantee).toBe('broken');
  });
});
