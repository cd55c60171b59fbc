/** The least time of a load: windows only, and what waits side by side counted once. */
import { expect, test } from 'vitest';
import { documentedTable } from '../../schemas/limits.ts';
import { PACE_WINDOWS } from '../kinds/rate/plan.ts';
import { rateFloorMs } from '../kinds/rate/timeline.ts';
import { planLoad } from './index.ts';
import { floorOf } from './lay-out.ts';
import { endpoint, quick, targetWith, usual } from './testing/targets.ts';

const windowMs = documentedTable.find('requests', 'run')?.windowMs ?? 0;
const perWindow = documentedTable.find('requests', 'run')?.value ?? 0;

const planFor = (only: readonly string[], profile: 'smoke' | 'gate' | 'nightly' = 'gate') =>
  planLoad({ target: usual, profile, only, calibration: quick });
const floorFor = (...only: string[]) => planFor(only).floorMs;

/** An idle window, two bursts a window apart, the pace, and what comes back: see timeline.ts. */
const floorOfRate = (id: string): number => {
  const [probe] = planFor([`${id}.*`]).probes.flatMap(({ parameters }) =>
    parameters.kind === 'rate' ? [parameters] : [],
  );
  if (!probe) throw new Error(`${id} is not planned`);
  return rateFloorMs(probe, PACE_WINDOWS.gate);
};

test('a rate limit takes as long as its own windows', () => {
  expect(floorFor('cancel.rate.*')).toBe(floorOfRate('cancel.rate'));
});

test('limits wait side by side', () => {
  expect(floorFor('cancel.rate.*', 'run.rate.*', 'status.rate.*')).toBe(floorFor('cancel.rate.*'));
});

test('queues are filled with the budget of run: what one window does not take waits for the next', () => {
  const { probes, table } = planFor(['run.queue.*', 'run.rate.*']);
  const queues = probes.filter(({ parameters }) => parameters.kind === 'queue');
  expect(queues.length).toBeGreaterThan(1);
  expect(floorOf(queues, table)).toBe(0);
  const bordersOf = (all: typeof probes) =>
    all.flatMap(({ parameters }) => (parameters.kind === 'queue' ? [parameters.border] : []));
  const more = planLoad({
    target: targetWith([endpoint('a', 1), endpoint('b', 2)]),
    profile: 'gate',
    only: [],
    calibration: quick,
  });
  const filled = more.probes.filter(({ id, parameters }) => parameters.kind === 'queue' || id === 'run.rate');
  const windows = Math.ceil(bordersOf(filled).reduce((sum, border) => sum + border, 0) / perWindow) - 1;
  expect(windows).toBeGreaterThan(0);
  expect(floorOf(filled, table)).toBe(floorOfRate('run.rate') + windows * windowMs);
});

test('what is sent on a small budget has to wait for another window once it fills one', () => {
  const requests = documentedTable.find('requests', 'requests');
  expect(floorFor('requests.concurrency.guarantee')).toBe(0);
  const { probes, table } = planFor(['requests.*']);
  const modest = probes.filter(({ startsIdle, spends }) => !startsIdle && spends.requests !== undefined);
  const sent = modest.reduce((sum, { spends, usually }) => sum + ((usually ?? spends).requests ?? 0), 0);
  expect(sent).toBeGreaterThan(requests?.value ?? Number.POSITIVE_INFINITY);
  expect(sent).toBeLessThanOrEqual(2 * (requests?.value ?? 0));
  expect(floorOf(probes, table)).toBe(floorFor('requests.rate.*') + (requests?.windowMs ?? 0));
});

test('what waits for nothing has no floor', () => {
  expect(floorFor('{run,runsync,status,cancel}.concurrency.*', '*.payload.*')).toBe(0);
  expect(planFor([], 'smoke').floorMs).toBe(0);
});

test('more windows of pace in a nightly are more floor', () => {
  expect(planFor(['run.rate.*'], 'nightly').floorMs).toBeGreaterThan(floorFor('run.rate.*'));
});

test('it is no more than the plan takes', () => {
  for (const profile of ['smoke', 'gate', 'nightly'] as const) {
    const { floorMs, durationMs } = planFor([], profile);
    expect(floorMs).toBeLessThanOrEqual(durationMs);
  }
});
