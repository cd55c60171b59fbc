import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conflict } from '../schedule.ts';
import { planLoad } from './index.ts';
import { arrange, isRate, preparationMs } from './stages.ts';
import { anyInput, quick, usual } from './testing/targets.ts';
import { IDLE_MARGIN_MS } from './timeline.ts';

const { probes } = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });
const rates = arrange(probes).filter((gang) => gang.some(isRate));

test('rate probes of all operations start together where nothing keeps them apart', () => {
  expect(rates).toHaveLength(1);
  expect(rates[0]).toHaveLength(6);
});

test('they come last, after everything that spends their budgets', () => {
  const gangs = arrange(probes);
  expect(gangs.slice(0, -1).flat().some(isRate)).toBe(false);
});

test('bursts never fall together, each has its idle window, and run is the last', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const gang of arrange(planLoad(input).probes)) {
        const bursts = gang.filter(isRate).map(({ parameters }) => parameters);
        for (const [index, { burstAtMs, windowMs, operation }] of bursts.entries()) {
          expect(burstAtMs).toBeGreaterThanOrEqual(windowMs + IDLE_MARGIN_MS);
          expect(burstAtMs).toBeGreaterThanOrEqual(bursts[index - 1]?.recovery.fromMs ?? 0);
          if (operation === 'run') expect(index).toBe(bursts.length - 1);
        }
      }
    }),
  );
});

test('probes in a gang do not disturb one another', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const gang of arrange(planLoad(input).probes)) {
        for (const one of gang) for (const other of gang) if (one !== other) expect(conflict(one, other)).toBe(false);
      }
    }),
  );
});

test('the burst of run keeps clear of the jobs that other probes submit at the start', () => {
  expect(preparationMs('run', ['run', 'cancel'])).toBeGreaterThan(0);
  expect(preparationMs('run', ['run', 'requests'])).toBe(0);
  expect(preparationMs('status', ['status'])).toBeGreaterThan(0);
  expect(preparationMs('cancel', ['run', 'cancel'])).toBe(0);
});

test('arranging again changes nothing: the times are already in place', () => {
  expect(arrange(arrange(probes).flat())).toEqual(arrange(probes));
});
