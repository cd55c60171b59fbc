/** A plan in the order that is best after what was spent right before it. */
import { expect, test } from 'vitest';
import { arrangedAfter, planLoad } from '../index.ts';
import { quick, usual } from './testing/targets.ts';

const plan = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });
const sorted = (ids: readonly string[]) => [...ids].sort();
const idsOf = ({ probes }: typeof plan) => sorted(probes.map(({ id }) => id));

test('it is the same probes at the same price', () => {
  const after = arrangedAfter(plan, [{ agoMs: 300, spends: { run: 900, cancel: 50 } }]);
  expect(idsOf(after)).toEqual(idsOf(plan));
  expect(sorted(after.stages.flatMap(({ probeIds }) => probeIds))).toEqual(idsOf(plan));
  expect([after.requests, after.bytes, after.floorMs]).toEqual([plan.requests, plan.bytes, plan.floorMs]);
});

test('nothing begins before what it spends fits beside what was spent', () => {
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
