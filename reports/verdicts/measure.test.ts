/** What is measured where both bursts went across a boundary of windows, which a busy machine makes of good plans. */
import { expect, test } from 'vitest';
import { analyseRate } from '../../scenarios/analysis/index.ts';
import { plannedFor, probeOf } from '../../scenarios/testing/rate-probed.ts';
import { fixedWindow, type Limiter, simulateRate, slidingLog } from '../../scenarios/testing/rate-simulation.ts';
import { limitsOf } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { measureRate } from './measure.ts';
import { judgeRate } from './rate.ts';

const rows = limitsOf('requests').map((limit) => [limit.id, limit] as const);

test.each(rows)('%s: no more is claimed than windows with one fewer can have let through', (id, limit) => {
  const { value, windowMs } = limit;
  const parameters = probeOf(limit, plannedFor({ limit: value, windowMs }));
  // The boundary comes between the burst and what follows it, each time.
  const phaseMs = (parameters.burstAtMs + parameters.overAtMs) / 2;
  const [first = '', second] = [0, 1].map(() => simulateRate(parameters, fixedWindow(value - 1, windowMs, phaseMs)));
  const facts = analyseRate(parameters, first, 0, second);
  const measured = measureRate(facts);
  expect(measured?.lower).toBeLessThanOrEqual(value - 1);
  expect(measured?.upper).toBeGreaterThanOrEqual(value - 1);
  const claims = judgeRate(
    facts,
    limit,
    judgingContext([facts], [{ instId: 'inst-a', workersMax: 30, dedicated: true }]),
  );
  expect(claims[`${id}.enforced`]?.verdict).not.toBe('broken');
  expect(claims[`${id}.guarantee`]?.verdict).not.toBe('holds');
});

const endpoints = [{ instId: 'inst-a', workersMax: 30, dedicated: true }];

test.each(rows)(
  '%s: a budget that somebody else has spent measures nothing, and explains whatever is refused',
  (_, limit) => {
    const { value, windowMs, budget } = limit;
    const parameters = probeOf(limit, plannedFor({ limit: value, windowMs }));
    const [sound, nothing] = [fixedWindow(value, windowMs, 0), () => false];
    const [spent, usual] = [nothing, sound].map((limiter) => simulateRate(parameters, limiter));
    const all = analyseRate(parameters, spent ?? '', 0);
    expect(measureRate(all)).toBeNull();
    expect(judgingContext([all], endpoints).rateFloor(budget)).toBe(0);
    const again = analyseRate(parameters, usual ?? '', 0, spent);
    const { lower = 0, upper = 0 } = measureRate(again) ?? {};
    expect(upper === null || lower <= upper).toBe(true);
  },
);

/** A correct limit of which no more than a fifth come through in any second, as where slots are freed a second late. */
function held(value: number, windowMs: number): Limiter {
  const [whole, slots] = [slidingLog(value, windowMs), slidingLog(value / 5, 1000)];
  return (atMs) => slots(atMs) && whole(atMs);
}

test('what a pace got through is within what is measured, where a burst was cut short by something else', () => {
  const limit = limitsOf('requests').find(({ id }) => id === 'cancel.rate');
  if (!limit) throw new Error('cancel has a rate');
  const { value, windowMs } = limit;
  const parameters = probeOf(limit, plannedFor({ limit: value, windowMs }));
  const facts = analyseRate(parameters, simulateRate(parameters, held(value, windowMs)), 0);
  const { lower = 0, upper = 0 } = measureRate(facts) ?? {};
  expect(facts.couldBe).toEqual([]);
  expect(lower).toBeLessThanOrEqual(value);
  expect(upper === null || upper >= value - 1).toBe(true);
});
