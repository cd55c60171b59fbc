/** What is measured where both bursts went across a boundary of windows, which a busy machine makes of good plans. */
import { expect, test } from 'vitest';
import { analyseRate } from '../../scenarios/analysis/index.ts';
import { plannedFor, probeOf } from '../../scenarios/testing/rate-probed.ts';
import { fixedWindow, simulateRate } from '../../scenarios/testing/rate-simulation.ts';
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
