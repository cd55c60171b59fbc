/** Where the bursts of rate probes that start together lie: how fast the target is must not decide what is seen of it. */
import { expect, test } from 'vitest';
import { planLoad } from './index.ts';
import { isRate } from './stages.ts';
import { preparationMs, untold } from './stagger.ts';
import { usual } from './testing/targets.ts';

const placed = (roundTripMs: number, jobMs: number) => {
  const calibration = { roundTripMs, quickJobMs: roundTripMs + jobMs, chatMs: 20 };
  return planLoad({ target: usual, profile: 'gate', only: [], calibration }).probes.filter(isRate);
};

test.each([1, 5, 20, 100].flatMap((roundTripMs) => [0, 4, 6, 8, 10, 30].map((jobMs) => [roundTripMs, jobMs] as const)))(
  'answers within %i ms and jobs of %i ms: of any two budgets one is asked while the other is exhausted',
  (...speed) => {
    expect(placed(...speed).length).toBeGreaterThan(4);
    expect(untold(placed(...speed))).toBe(0);
  },
);

test('bursts too far apart tell nothing of one another, and are counted', () => {
  const [first, ...others] = placed(2, 1);
  if (!first) throw new Error('no rate probe is planned');
  const { burstAtMs, overAtMs, recovery, pace } = first.parameters;
  const late = 1_000_000;
  const span = (one: typeof pace) => ({ ...one, fromMs: one.fromMs + late, untilMs: one.untilMs + late });
  const moved = { burstAtMs: burstAtMs + late, overAtMs: overAtMs + late, pace: span(pace) };
  const parameters = { ...first.parameters, ...moved, recovery: { ...recovery, ...span(recovery) } };
  expect(untold([{ ...first, parameters }, ...others])).toBe(others.length);
});

test('the burst of run keeps clear of the jobs that other probes submit at the start', () => {
  expect(preparationMs('run', ['run', 'cancel'])).toBeGreaterThan(0);
  expect(preparationMs('run', ['run', 'requests'])).toBe(0);
  expect(preparationMs('status', ['status'])).toBeGreaterThan(0);
  expect(preparationMs('cancel', ['run', 'cancel'])).toBe(0);
});
