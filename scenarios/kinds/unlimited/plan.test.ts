import { expect, test } from 'vitest';
import { limitsOf } from '../../../schemas/limits.ts';
import { contextFor, endpoint, quick } from '../../plan/testing/targets.ts';
import { unlimitedCandidate } from './index.ts';

const highest = Math.max(...limitsOf('requests').map(({ value }) => value));

test('health gets twice the highest rate for more than a window', () => {
  const { probe } = unlimitedCandidate(contextFor([endpoint('big', 3)]));
  if (probe?.parameters.kind !== 'unlimited') throw new Error('no probe');
  const { windowMs, periodMs, durationMs, operation } = probe.parameters;
  expect(operation).toBe('health');
  expect(windowMs / periodMs).toBe(2 * highest);
  expect(durationMs).toBeGreaterThan(windowMs);
  expect(probe.requests).toBeGreaterThan(2 * highest);
});

test('a distant target gets more connections, within reason', () => {
  const vus = (roundTripMs: number) => {
    const parameters = unlimitedCandidate(contextFor([endpoint('big', 3)], { ...quick, roundTripMs })).probe
      ?.parameters;
    return parameters?.kind === 'unlimited' ? parameters.vus : 0;
  };
  expect(vus(1)).toBe(10);
  expect(vus(50)).toBe(80);
  expect(vus(5000)).toBe(200);
});

test('it excludes no other probe', () => {
  const { probe } = unlimitedCandidate(contextFor([endpoint('big', 3)]));
  expect([probe?.exclusive, probe?.shared, probe?.spends]).toEqual([[], [], {}]);
  expect(unlimitedCandidate(contextFor([])).missing).toMatchObject({ kind: 'skipped' });
});
