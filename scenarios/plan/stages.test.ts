import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable } from '../../schemas/limits.ts';
import { conflict } from '../idle.ts';
import type { RateParameters } from '../probe.ts';
import { type Gang, schedule } from '../schedule.ts';
import { planLoad } from './index.ts';
import { arrange, isRate } from './stages.ts';
import { momentsOf } from './stagger.ts';
import { anyInput, quick, usual } from './testing/targets.ts';
import { IDLE_MARGIN_MS } from './timeline.ts';
import type { PlannedProbe } from './types.ts';

const { probes } = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });
const arranged = (all: readonly PlannedProbe[]): readonly Gang[] => arrange(all, documentedTable, { before: [] });
const ratesOf = (gang: Gang): RateParameters[] => gang.filter(isRate).map(({ parameters }) => parameters);

test('rate probes of all operations start together where nothing keeps them apart', () => {
  const rates = arranged(probes).filter((gang) => gang.some(isRate));
  expect(rates).toHaveLength(1);
  expect(rates[0]).toHaveLength(6);
});

test('they come after everything that spends their budgets, and before what fits beside them alone', () => {
  const gangs = arranged(probes);
  const first = gangs.findIndex((gang) => gang.some(isRate));
  const after = gangs
    .slice(first)
    .flat()
    .filter((probe) => !isRate(probe));
  expect(after.map(({ id }) => id)).toEqual(['chat.stream-timing']);
  for (const probe of after) expect(gangs[first]?.some((rate) => conflict(probe, rate))).toBe(false);
  expect(arranged(after).flat()).toEqual(after);
});

test('bursts of different limits never meet, and each has its idle window', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const gang of arranged(planLoad(input).probes)) {
        const rates = ratesOf(gang);
        for (const [index, one] of rates.entries()) {
          for (const other of rates.slice(index + 1).flatMap(momentsOf)) {
            const meets = momentsOf(one).some((own) => own.untilMs > other.fromMs && other.untilMs > own.fromMs);
            expect(meets).toBe(false);
          }
        }
        for (const { burstAtMs, windowMs } of rates)
          expect(burstAtMs).toBeGreaterThanOrEqual(windowMs + IDLE_MARGIN_MS);
      }
    }),
  );
});

test('probes in a gang do not disturb one another', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const gang of arranged(planLoad(input).probes)) {
        for (const one of gang) for (const other of gang) if (one !== other) expect(conflict(one, other)).toBe(false);
      }
    }),
  );
});

test('arranging again changes no burst: the times are already in place', () => {
  expect(arranged(arranged(probes).flat()).flatMap(ratesOf)).toEqual(arranged(probes).flatMap(ratesOf));
});

const endOf = (gangs: readonly Gang[]): number =>
  Math.max(...schedule(gangs, documentedTable).map(({ endMs }) => endMs));

test('the chosen order is at least as short as the given one', () => {
  const rates = arranged(probes).filter((gang) => gang.some(isRate));
  const others = probes.filter((probe) => !isRate(probe)).map((probe) => [probe]);
  const given = [...others, ...rates];
  const backwards = [...others.reverse(), ...rates];
  expect(endOf(arranged(probes))).toBeLessThanOrEqual(Math.min(endOf(given), endOf(backwards)));
});

test('the usual target: how far the planned load is from what the windows force', () => {
  const {
    durationMs,
    floorMs,
    schedule: entries,
    stages,
  } = planLoad({
    target: usual,
    profile: 'gate',
    only: [],
    calibration: quick,
  });
  const rates = probes.filter(isRate).map(({ id }) => id);
  const last = stages.find(({ probeIds }) => rates.some((id) => probeIds.includes(id)));
  const began = entries.find(({ probeId }) => probeId === last?.probeIds[0])?.startMs ?? 0;
  // The rate probes are hardly more than their windows; all that comes before them takes most of a floor more.
  expect(durationMs - began).toBeLessThan(1.2 * floorMs);
  expect(began).toBeLessThan(0.75 * floorMs);
  expect(durationMs).toBeLessThan(1.9 * floorMs);
});
