/**
 * The promise of the schedule as a whole: whatever a plan puts side by side, no rate window ever holds more of our own
 * requests than the limit, all endpoints counted together and each probe as if it sent all it may at the worst moment.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable } from '../../schemas/limits.ts';
import type { BudgetId } from '../../schemas/operations.ts';
import type { RateParameters } from '../probe.ts';
import { planLoad } from './index.ts';
import { anyInput, quick, usual } from './testing/targets.ts';
import type { LoadPlan, PlannedProbe } from './types.ts';

interface Placed {
  readonly probe: PlannedProbe;
  readonly startMs: number;
  readonly endMs: number;
}

const placed = ({ probes, schedule }: LoadPlan): Placed[] =>
  schedule.flatMap(({ probeId, ...times }) =>
    probes.filter(({ id }) => id === probeId).map((probe) => ({ probe, ...times })),
  );

/** When a probe spends the last of a budget. */
const lastMs = ({ probe, startMs, endMs }: Placed, budget: BudgetId): number =>
  probe.early?.resources.includes(`budget:${budget}`) ? startMs + probe.early.estimateMs : endMs;

function expectWithin(plan: LoadPlan): void {
  for (const { budget, value, windowMs } of documentedTable.of('requests')) {
    const spent = ({ probe }: Placed) => probe.spends[budget] ?? 0;
    const all = placed(plan).filter((one) => spent(one) > 0);
    const modest = all.filter(({ probe }) => !probe.startsIdle);
    for (const one of modest) {
      const fromMs = one.startMs - windowMs;
      // Those that can have sent something in the window that ends when it begins, itself included.
      const together = modest.filter((other) => other.startMs <= one.startMs && lastMs(other, budget) > fromMs);
      // Of what is over by then it is known what it spent, and planned with what is usual.
      const left = (other: Placed) => {
        const { usually, spends } = other.probe;
        return other.endMs <= one.startMs ? ((usually ?? spends)[budget] ?? 0) : spent(other);
      };
      const sum = together.reduce((total, other) => total + left(other), 0);
      expect(sum).toBeLessThanOrEqual(value);
    }
    // Those that go beyond the limit do it on purpose, and nobody who must be served comes before it has passed.
    for (const beyond of all.filter(({ probe }) => probe.startsIdle && probe.exclusive.includes(`budget:${budget}`))) {
      const { burstAtMs = 0, limitId } = beyond.probe.parameters as Partial<RateParameters>;
      // A rate probe begins with all of the limit.
      const isRate = beyond.probe.parameters.kind === 'rate' && limitId === beyond.probe.id;
      const fromMs = beyond.startMs + (isRate ? burstAtMs - windowMs : 0);
      // What is over by the burst and spends nothing as a rule is waited for only when it did.
      const isUsual = ({ probe, endMs }: Placed) =>
        endMs > fromMs + windowMs || ((probe.usually ?? probe.spends)[budget] ?? 0) > 0;
      const others = modest.filter(
        (one) => one.startMs < beyond.endMs + windowMs && fromMs < lastMs(one, budget) && isUsual(one),
      );
      expect(others.map(({ probe }) => probe.id)).toEqual([]);
    }
  }
}

test('with every endpoint that there is', () => {
  expectWithin(planLoad({ target: usual, profile: 'gate', only: [], calibration: quick }));
  expectWithin(planLoad({ target: usual, profile: 'nightly', only: [], calibration: null }));
});

test('for any target, profile and selection', () => {
  fc.assert(fc.property(anyInput, (input) => expectWithin(planLoad(input))));
});
