/** A plan in the order that is best after what was spent right before it. */
import { expect, test } from 'vitest';
import type { Calibration } from '../../schemas/target.ts';
import { arrangedAfter, planLoad } from '../index.ts';
import { endpoint, quick, targetWith, usual } from './testing/targets.ts';

const plan = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });
const sorted = (ids: readonly string[]) => [...ids].sort();
const idsOf = ({ probes }: typeof plan) => sorted(probes.map(({ id }) => id));

test('it is the same probes at the same price', () => {
  const after = arrangedAfter(plan, [{ agoMs: 300, spends: { run: 900, cancel: 50 } }]);
  expect(idsOf(after)).toEqual(idsOf(plan));
  expect(sorted(after.schedule.map(({ probeId }) => probeId))).toEqual(idsOf(plan));
  expect([after.requests, after.bytes, after.floorMs]).toEqual([plan.requests, plan.bytes, plan.floorMs]);
});

test('nothing begins before what it spends fits together with what was spent', () => {
  const cancels = plan.table.find('requests', 'cancel');
  const value = cancels?.value ?? 0;
  const spentBefore = [
    { agoMs: 2100, spends: { cancel: value / 2 } },
    { agoMs: 2700, spends: { cancel: value / 2 } },
  ];
  const windowMs = cancels?.windowMs ?? 0;
  const { schedule, probes } = arrangedAfter(plan, spentBefore);
  const spenders = probes.filter(({ spends, startsIdle }) => (spends.cancel ?? 0) > 0 && !startsIdle);
  expect(spenders.length).toBeGreaterThan(0);
  for (const { id } of spenders) {
    expect(schedule.find(({ probeId }) => probeId === id)?.startMs).toBeGreaterThanOrEqual(windowMs - 2700);
  }
});

test('a probe that goes beyond a limit comes after the client that never does', () => {
  const times = (id: string) => plan.schedule.find(({ probeId }) => probeId === id);
  const beyond = plan.probes.filter(({ startsIdle, parameters }) => startsIdle && parameters.kind === 'scope');
  expect(sorted(beyond.map(({ id }) => id))).toEqual(['purge-queue.rate.scope', 'requests.rate.scope']);
  for (const { id } of beyond) {
    expect(times(id)?.startMs).toBeGreaterThanOrEqual(times(id.replace('.scope', ''))?.endMs ?? Number.NaN);
  }
});

test('the usual target: rates begin one by one, as soon as their budgets are unspent', () => {
  const { durationMs, floorMs } = plan;
  expect(durationMs).toBeLessThan(1.2 * floorMs);
});

test('one endpoint with a long queue, near and far away', () => {
  const planFor = (calibration: Calibration) =>
    planLoad({ target: targetWith([endpoint('a', 3)]), profile: 'gate', only: [], calibration });
  const near = planFor({ roundTripMs: 1, quickJobMs: 2, chatMs: 15 });
  const far = planFor({ roundTripMs: 42, quickJobMs: 44, chatMs: 80 });
  expect(near.durationMs).toBeLessThan(1.35 * near.floorMs);
  expect(far.durationMs).toBeLessThan(1.6 * far.floorMs);
});
