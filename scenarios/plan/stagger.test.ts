/** Where the bursts of rate probes that start together lie. */
import { expect, test } from 'vitest';
import { planLoad } from './index.ts';
import { isRate } from './stages.ts';
import { momentsOf } from './stagger.ts';
import { usual } from './testing/targets.ts';

const placed = (roundTripMs: number, jobMs: number) => {
  const calibration = { roundTripMs, quickJobMs: roundTripMs + jobMs, chatMs: 20 };
  return planLoad({ target: usual, profile: 'gate', only: [], calibration }).probes.filter(isRate);
};

const speeds = [1, 5, 20].flatMap((roundTripMs) => [0, 4, 10].map((jobMs) => [roundTripMs, jobMs] as const));

test.each(speeds)('answers within %i ms and jobs of %i ms: no burst meets another', (...speed) => {
  const probes = placed(...speed);
  expect(probes.length).toBeGreaterThan(4);
  const moments = probes.map(({ parameters }) => momentsOf(parameters));
  for (const [index, own] of moments.entries()) {
    for (const others of moments.slice(index + 1)) {
      for (const one of own)
        for (const two of others) {
          expect(one.untilMs <= two.fromMs || two.untilMs <= one.fromMs).toBe(true);
        }
    }
  }
});

test.each(speeds)('answers within %i ms and jobs of %i ms: all limits are full within one window', (...speed) => {
  const bursts = placed(...speed).map(({ parameters }) => parameters.burstAtMs);
  const [windowMs = 0] = placed(...speed).map(({ parameters }) => parameters.windowMs);
  expect(Math.max(...bursts) - Math.min(...bursts)).toBeLessThan(windowMs);
});

test('the burst of run keeps clear of the jobs that other probes submit at the start', () => {
  const run = placed(2, 1).find(({ id }) => id === 'run.rate');
  const windowMs = run?.parameters.windowMs ?? 0;
  expect((run?.parameters.burstAtMs ?? 0) - windowMs).toBeGreaterThan(5000);
  const alone = planLoad({ target: usual, profile: 'gate', only: ['run.rate.*'], calibration: null });
  const [first] = alone.probes.filter(isRate);
  expect((first?.parameters.burstAtMs ?? 0) - windowMs).toBeLessThan(1000);
});
