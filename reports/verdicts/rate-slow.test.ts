/**
 * Targets that take a tenth of a second for each answer, asked by the probe that is planned for such: nobody knows then
 * which requests of a steady pace were within the limit, and what a limiter does has to be told all the same.
 */
import { expect, test } from 'vitest';
import { planLoad } from '../../scenarios/index.ts';
import { usual } from '../../scenarios/plan/testing/targets.ts';
import { probed } from '../../scenarios/testing/rate-probed.ts';
import { fixedWindow, type Limiter, slidingCounter, slidingLog } from '../../scenarios/testing/rate-simulation.ts';
import { limitsOf } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { judgeRate } from './rate.ts';

const ROUND_TRIP_MS = 100;
const PHASES = [0.08, 0.33, 0.58, 0.83];

const kinds = {
  log: (value, windowMs) => slidingLog(value, windowMs),
  window: fixedWindow,
  counter: slidingCounter,
} satisfies Record<string, (value: number, windowMs: number, phaseMs: number) => Limiter>;

function verdicts(id: string, kind: keyof typeof kinds, share: number) {
  const limit = limitsOf('requests').find((row) => row.id === id);
  const calibration = { roundTripMs: ROUND_TRIP_MS, quickJobMs: 2, chatMs: ROUND_TRIP_MS };
  const plan = planLoad({ target: usual, profile: 'gate', only: [`${id}.*`], calibration });
  const [parameters] = plan.probes.flatMap((probe) => (probe.parameters.kind === 'rate' ? [probe.parameters] : []));
  if (!limit || !parameters) throw new Error(`${id} is not asked`);
  return PHASES.map((phase) => {
    const lengthMs = share * limit.windowMs;
    const limiter = () => kinds[kind](limit.value, lengthMs, phase * lengthMs);
    const facts = probed(parameters, limiter, { roundTripMs: ROUND_TRIP_MS });
    const claims = judgeRate(facts, limit, judgingContext([facts], usual.endpoints));
    const [guarantee, enforced] = ['guarantee', 'enforced'].map((name) => claims[`${id}.${name}`]?.verdict);
    return { guarantee, enforced };
  });
}

const cases = ['cancel.rate', 'requests.rate'].flatMap((id) =>
  (Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => [id, kind] as const),
);

test.each(cases)('%s, a %s as documented', (id, kind) => {
  expect(verdicts(id, kind, 1)).toEqual(PHASES.map(() => ({ guarantee: 'holds', enforced: 'holds' })));
});

test.each(cases)('%s, a %s that is too short', (id, kind) => {
  const seen = verdicts(id, kind, 0.8);
  expect(seen.filter(({ enforced }) => enforced === 'holds')).toEqual([]);
  if (kind !== 'counter') expect(seen.filter(({ guarantee }) => guarantee === 'broken')).toEqual([]);
});

test.each(cases)('%s, a %s that is too long', (id, kind) => {
  const seen = verdicts(id, kind, 1.25);
  expect(seen.filter(({ guarantee }) => guarantee === 'holds')).toEqual([]);
  expect(seen.filter(({ enforced }) => enforced === 'broken')).toEqual([]);
});
