/**
 * Targets that take a tenth of a second for each answer, asked by the probe that is planned for such: nobody knows then
 * which requests of a steady pace were within the limit, and what a limiter does is to be known all the same.
 */
import { expect, test } from 'vitest';
import { planLoad } from '../../../scenarios/index.ts';
import { usual } from '../../../scenarios/plan/testing/targets.ts';
import { probed } from '../../../scenarios/testing/rate-probed.ts';
import { fixedWindow, type Limiter, slidingLog, tokenBucket } from '../../../scenarios/testing/rate-simulation.ts';
import { limitsOf } from '../../../schemas/limits.ts';
import { judgingContext } from '../../verdicts/context.ts';
import { judgeRate } from './judge.ts';
import { keeps } from './survivors.ts';

const ROUND_TRIP_MS = 100;
const PHASES = [0.08, 0.33, 0.58, 0.83];

const kinds = {
  log: (value, windowMs) => slidingLog(value, windowMs),
  window: fixedWindow,
  bucket: (value, windowMs) => tokenBucket(value, value, windowMs),
} satisfies Record<string, (value: number, windowMs: number, phaseMs: number) => Limiter>;

function verdicts(id: string, kind: keyof typeof kinds, share: number) {
  const limit = limitsOf('requests').find((row) => row.id === id);
  const calibration = { roundTripMs: ROUND_TRIP_MS, quickJobMs: 2, chatMs: ROUND_TRIP_MS };
  const plan = planLoad({ target: usual, profile: 'gate', only: [`${id}.*`], calibration });
  const [parameters] = plan.probes.flatMap((probe) => (probe.parameters.kind === 'rate' ? [probe.parameters] : []));
  if (!limit || !parameters) throw new Error(`${id} is not asked`);
  return PHASES.map((phase) => {
    const lengthMs = share * limit.windowMs;
    const limiter = kinds[kind](limit.value, lengthMs, phase * lengthMs);
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
  for (const { guarantee, enforced } of verdicts(id, kind, 1)) {
    expect(guarantee).toBe('holds');
    // A bucket gets one request back while another is on its way, so its size is not known closer than that.
    expect(kind === 'bucket' ? ['holds', 'inconclusive'] : ['holds']).toContain(enforced);
  }
});

test.each(cases)('%s, a %s that is too short', (id, kind) => {
  const seen = verdicts(id, kind, 0.8);
  expect(seen.filter(({ enforced }) => enforced === 'holds')).toEqual([]);
  expect(seen.filter(({ guarantee }) => guarantee === 'broken')).toEqual([]);
});

test.each(cases)('%s, a %s that is too long', (id, kind) => {
  const seen = verdicts(id, kind, 1.25);
  expect(seen.filter(({ guarantee }) => guarantee === 'holds')).toEqual([]);
  expect(seen.filter(({ enforced }) => enforced === 'broken')).toEqual([]);
});

test('delays where fewer got through than documented show no limit, as a slow target delays as well', () => {
  const windowMs = { lower: 2000, upper: 2000 };
  const slow = { algorithm: 'delay', name: 'a bucket that delays', enforces: true, windowMs } as const;
  const row = { value: 10, windowMs: 2000 };
  expect(keeps({ ...slow, value: { lower: 1, upper: 4 } }, row)).toBe('open');
  expect(keeps({ ...slow, value: { lower: 10, upper: 10 } }, row)).toBe('yes');
  expect(keeps({ ...slow, value: { lower: 11, upper: 12 } }, row)).toBe('no');
});
