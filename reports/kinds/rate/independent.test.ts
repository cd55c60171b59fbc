/** Two rate limits beside one another, simulated with one limiter for both or one for each. */
import { expect, test } from 'vitest';
import { analyseRate } from '../../../scenarios/kinds/rate/measure/index.ts';
import {
  type Limiter,
  rateParameters,
  simulateRate,
  slidingCounter,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../../../scenarios/testing/rate-simulation.ts';
import type { RateFacts } from '../../../schemas/facts.ts';
import { decodeLedger } from '../../../schemas/ledger.ts';
import { limitFor } from '../../../schemas/limits.ts';
import type { OperationId } from '../../../schemas/operations.ts';
import { judgingContext } from '../../verdicts/context.ts';
import { judgeIndependence } from './independent.ts';

const [WINDOW_MS, LIMIT] = [10_000, 100];

function rowOf(budget: 'run' | 'cancel') {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for ${budget}`);
  return limit;
}

/** Bursts a second or so apart, as in a run. */
function factsOf(operation: OperationId, limiter: Limiter, laterMs: number, instId = 'inst-a'): RateFacts {
  const parameters = rateParameters(LIMIT, WINDOW_MS, { limitId: `${operation}.rate`, operation, instId });
  return analyseRate(parameters, decodeLedger(simulateRate(parameters, limiter, { beginsAtMs: laterMs })), 0);
}

/** What two probes are answered by one limiter: whichever request comes first, on the clock of both. */
function together(limiter: Limiter, laterMs: number): readonly [RateFacts, RateFacts] {
  const came: { readonly atMs: number; readonly first: boolean }[] = [];
  const note = (first: boolean) => (atMs: number) => came.push({ atMs, first }) > 0;
  factsOf('cancel', note(true), 0);
  factsOf('run', note(false), laterMs);
  const answers = { first: new Map<number, boolean>(), second: new Map<number, boolean>() };
  for (const { atMs, first } of came.sort((a, b) => a.atMs - b.atMs)) {
    answers[first ? 'first' : 'second'].set(atMs, limiter(atMs));
  }
  const from = (known: ReadonlyMap<number, boolean>) => (atMs: number) => known.get(atMs) ?? false;
  return [factsOf('cancel', from(answers.first), 0), factsOf('run', from(answers.second), laterMs)];
}

const log = () => slidingLog(LIMIT, WINDOW_MS);
const bucket = () => tokenBucket(LIMIT, LIMIT, WINDOW_MS);

test.each([
  ['log', log],
  ['bucket', bucket],
] as const)('two limits that each explain their own answers are counted apart: %s', (_, limiter) => {
  const both = [factsOf('cancel', limiter(), 0), factsOf('run', limiter(), 1500)] as const;
  expect(judgeIndependence(both[0], rowOf('cancel'), both)).toMatchObject({
    verdict: 'holds',
    observed: 'independent: run',
  });
  expect(judgeIndependence(both[1], rowOf('run'), both).verdict).toBe('holds');
});

test('two operations that spend one budget refuse each other', () => {
  const both = together(log(), 1500);
  expect(both.some(({ within }) => within.refused > 0)).toBe(true);
  const claims = [judgeIndependence(both[0], rowOf('cancel'), both), judgeIndependence(both[1], rowOf('run'), both)];
  expect(claims.map(({ verdict }) => verdict)).toContain('broken');
  expect(claims.map(({ verdict }) => verdict)).not.toContain('holds');
});

test('refusals that its own limiter explains blame no other limit', () => {
  const both = [factsOf('cancel', log(), 0), factsOf('run', slidingCounter(LIMIT, WINDOW_MS, 3000), 1500)] as const;
  expect(both[1].within.refused).toBeGreaterThan(0);
  expect(judgeIndependence(both[0], rowOf('cancel'), both).verdict).toBe('holds');
});

test('no verdict where nothing was exhausted, or nothing else was measured on the same endpoint', () => {
  const run = factsOf('run', log(), 1500);
  const free = factsOf('cancel', unlimited, 0);
  expect(judgeIndependence(free, rowOf('cancel'), [free, run]).verdict).toBe('inconclusive');
  const cancel = factsOf('cancel', log(), 0);
  const elsewhere = { ...run, instId: 'inst-b' };
  expect(judgeIndependence(cancel, rowOf('cancel'), [cancel, elsewhere])).toMatchObject({
    verdict: 'not-observable',
    reason: expect.stringContaining('inst-a'),
  });
});

test('an operation that is never refused is not refused because of another one', () => {
  const both = [factsOf('cancel', log(), 0), factsOf('run', unlimited, 1500)] as const;
  expect(judgeIndependence(both[0], rowOf('cancel'), both).verdict).toBe('holds');
});

test('limits that were measured one after the other say nothing of one another', () => {
  const cancel = factsOf('cancel', log(), 0);
  const later = factsOf('run', log(), 900_000);
  expect(judgeIndependence(cancel, rowOf('cancel'), [cancel, later])).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('not exhausted at the same time: run;'),
  });
});

test('what a retry without the other limit leaves open, the first time shows', () => {
  const both = [factsOf('cancel', log(), 0), factsOf('run', log(), 1500)] as const;
  const again = factsOf('cancel', log(), 900_000);
  expect(judgeIndependence(again, rowOf('cancel'), [...both, again]).verdict).toBe('holds');
});

test('what is said does not depend on which probe was done first', () => {
  const facts = (['run', 'runsync', 'cancel'] as const).map((operation, index) =>
    factsOf(operation, log(), 1000 * index),
  );
  const said = [facts, facts.toReversed()].map((all) => {
    const [first] = facts;
    if (!first) throw new Error('no facts');
    return judgeIndependence(first, rowOf('run'), judgingContext(all, []).rates);
  });
  expect(said[0]).toEqual(said[1]);
});
