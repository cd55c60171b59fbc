import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pollTimes, slotsIn } from '../../k6/lib/schedule.ts';
import { planLoad } from '../../plan/index.ts';
import { anyInput, quick, usual } from '../../plan/testing/targets.ts';
import { kindOf } from '../index.ts';
import { leastRequests, mostInWindow, mostRequests } from './plan.ts';

const plan = planLoad({ target: usual, profile: 'gate', only: [], calibration: quick });

test('the least is within the most, for every probe of any plan', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const { parameters, requests } of planLoad(input).probes) {
        const least = kindOf(parameters).least(parameters);
        expect(least).toBeLessThanOrEqual(requests);
        expect(least).toBeGreaterThan(0);
      }
    }),
  );
});

test('a rate probe that is refused early still sends its burst, its refusals and nearly all of its slots', () => {
  for (const { parameters } of plan.probes) {
    if (parameters.kind !== 'rate') continue;
    const { limit, vus, overflowRefusals, paces } = parameters;
    const paced = slotsIn(paces);
    expect(leastRequests(parameters)).toBeGreaterThan(limit + vus * overflowRefusals + 0.9 * paced);
    expect(mostRequests(parameters)).toBeGreaterThan(mostInWindow(parameters) + paced);
  }
});

test('single requests and bursts of refills are announced with the rest', () => {
  for (const { parameters } of plan.probes) {
    if (parameters.kind !== 'rate') continue;
    const without = { ...parameters, polls: { spans: [], edgesMs: [] }, refillsAtMs: [] };
    const echoes = parameters.refillsAtMs.length * parameters.vus * parameters.refillCap;
    expect(mostRequests(parameters) - mostRequests(without)).toBe(echoes + pollTimes(parameters.polls).length);
  }
});

test('a retry sends beyond the limit by as few connections as may be, and no more requests than were announced', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      for (const { parameters, retry } of planLoad(input).probes) {
        if (parameters.kind !== 'rate' || retry?.kind !== 'rate') continue;
        expect(retry.beyondVus).toBeGreaterThan(0);
        expect(retry.beyondVus).toBeLessThanOrEqual(parameters.beyondVus);
        expect(mostRequests(retry)).toBeLessThanOrEqual(mostRequests(parameters));
        expect(mostInWindow(retry)).toBeLessThanOrEqual(mostInWindow(parameters));
        expect(leastRequests(retry)).toBeLessThanOrEqual(mostRequests(retry));
      }
    }),
  );
});
