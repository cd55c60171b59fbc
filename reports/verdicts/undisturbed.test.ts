/** A rate probe beside another whose preparation came at the wrong moment. */
import { describe, expect, test } from 'vitest';
import { analyseRate } from '../../scenarios/analysis/index.ts';
import { rateParameters, simulateRate, slidingLog } from '../../scenarios/testing/rate-simulation.ts';
import type { RateFacts } from '../../schemas/facts.ts';
import { documentedTable } from '../../schemas/limits.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import { exactConcurrency, soundHealth } from './testing/facts.ts';
import { undisturbed } from './undisturbed.ts';

const WINDOW_MS = 1000;
const parameters = rateParameters(100, WINDOW_MS);
const facts: RateFacts = analyseRate(parameters, simulateRate(parameters, slidingLog(100, WINDOW_MS)), 0);
const zeroMs = facts.health.zeroMs ?? Number.NaN;

const claims: Record<string, Claim> = {
  'run.rate.guarantee': broken('a', 'b'),
  'run.rate.enforced': holds('a', 'b'),
  'run.rate.refusal': holds('a', 'b'),
  'run.rate.shared': unclear('a', 'b', 'c'),
};

/** Verdicts beside a probe that prepared itself so. */
function beside(operation: string, atMs: number, tookMs = 0) {
  const at = { atMs: zeroMs + atMs, untilMs: zeroMs + atMs + tookMs };
  const health = soundHealth({ preparation: [{ operation, ...at }] });
  const other = exactConcurrency('cancel.concurrency', 20, { health });
  const judged = undisturbed(facts, [facts, other], documentedTable, claims);
  return Object.fromEntries(Object.entries(judged).map(([id, { verdict }]) => [id.split('.')[2], verdict]));
}

const untouched = { guarantee: 'broken', enforced: 'holds', refusal: 'holds', shared: 'inconclusive' };

describe('a job of another', () => {
  test('long before the burst is in no count', () => {
    expect(beside('run', facts.burst.fromMs - 2 * WINDOW_MS)).toEqual(untouched);
  });

  test('sent long before, but perhaps on its way until then, is in all of them', () => {
    expect(beside('run', facts.burst.fromMs - 2 * WINDOW_MS, 1.5 * WINDOW_MS)).toMatchObject({
      guarantee: 'inconclusive',
      enforced: 'inconclusive',
    });
  });

  test('in the window before the burst is in all of them', () => {
    expect(beside('run', facts.burst.fromMs - WINDOW_MS / 2)).toEqual({
      ...untouched,
      guarantee: 'inconclusive',
      enforced: 'inconclusive',
    });
  });

  test('in the pace is in that of the guarantee', () => {
    expect(beside('run', facts.pace.fromMs + 1)).toEqual({ ...untouched, guarantee: 'inconclusive' });
  });

  test('that counts against another limit is none', () => {
    expect(beside('cancel', facts.burst.fromMs)).toEqual(untouched);
  });
});

test('what a smaller limit would not have shown stands', () => {
  const at = { operation: 'run', atMs: zeroMs + facts.burst.fromMs };
  const other = exactConcurrency('cancel.concurrency', 20, { health: soundHealth({ preparation: [at] }) });
  const stands = { 'run.rate.guarantee': holds('a', 'b'), 'run.rate.enforced': broken('a', 'b') };
  expect(undisturbed(facts, [facts, other], documentedTable, stands)).toEqual(stands);
});

test('the reason says how many there were', () => {
  const at = { operation: 'run', atMs: zeroMs + facts.burst.fromMs };
  const other = exactConcurrency('cancel.concurrency', 20, { health: soundHealth({ preparation: [at, at] }) });
  const judged = undisturbed(facts, [facts, other], documentedTable, claims);
  expect(judged['run.rate.guarantee']?.reason).toMatch(/^2 requests with which other probes prepared/);
});

test('its own preparation, and facts of other kinds, are left alone', () => {
  const own = { ...facts, health: { ...facts.health, preparation: [{ operation: 'run', atMs: zeroMs + 1500 }] } };
  expect(undisturbed(own, [own], documentedTable, claims)).toEqual(claims);
  const other = exactConcurrency('cancel.concurrency', 20);
  expect(undisturbed(other, [other], documentedTable, claims)).toBe(claims);
});
