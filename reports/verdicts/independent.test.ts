/** Two rate limits beside one another, simulated with one limiter for both or one for each. */
import { expect, test } from 'vitest';
import { analyseRate } from '../../scenarios/analysis/index.ts';
import {
  type Limiter,
  rateParameters,
  simulateRate,
  slidingLog,
  tokenBucket,
  unlimited,
} from '../../scenarios/testing/rate-simulation.ts';
import type { RateFacts } from '../../schemas/facts.ts';
import { limitFor } from '../../schemas/limits.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { judgingContext } from './context.ts';
import { judgeIndependence } from './independent.ts';

const [WINDOW_MS, LIMIT] = [10_000, 100];

function rowOf(budget: 'run' | 'cancel') {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for ${budget}`);
  return limit;
}

/** Bursts a second apart, as in a run. */
function factsOf(operation: OperationId, limiter: Limiter, laterMs: number, instId = 'inst-a'): RateFacts {
  const changes = { limitId: `${operation}.rate`, operation, instId };
  const parameters = rateParameters(LIMIT, WINDOW_MS, changes);
  return analyseRate(parameters, simulateRate(parameters, limiter, { beginsAtMs: laterMs }), 0);
}

/** The probe's ledger with every request refused that falls into the other's exhaustion. */
function refusedMeanwhile(facts: RateFacts, by: RateFacts): RateFacts {
  const [spell] = by.exhaustion.exhausted;
  if (!spell) throw new Error('the other was never exhausted');
  const inside = ({ fromMs }: { readonly fromMs: number }) => fromMs >= spell.fromMs - 1 && fromMs <= spell.toMs + 1;
  const { served } = facts.exhaustion;
  const all = Array.from(served.fromMs, (fromMs, index) => ({ fromMs, toMs: served.toMs[index] ?? Number.NaN }));
  const rest = all.filter((one) => !inside(one));
  const left = {
    fromMs: Float64Array.from(rest, ({ fromMs }) => fromMs),
    toMs: Float64Array.from(rest, ({ toMs }) => toMs),
  };
  return { ...facts, exhaustion: { exhausted: [], served: left, refusedWithin: all.filter(inside) } };
}

const cancel = factsOf('cancel', slidingLog(LIMIT, WINDOW_MS), 0);
const run = factsOf('run', slidingLog(LIMIT, WINDOW_MS), 1500);

test('what is served while the other is exhausted is counted apart, whichever of the two shows it', () => {
  expect(judgeIndependence(cancel, rowOf('cancel'), [cancel, run]).verdict).toBe('holds');
  expect(judgeIndependence(run, rowOf('run'), [cancel, run]).verdict).toBe('holds');
});

test('it says which of the two was served while the other was exhausted', () => {
  // Of the first nothing is asked any more while the second is exhausted.
  const { served } = cancel.exhaustion;
  const first = {
    ...cancel,
    exhaustion: { ...cancel.exhaustion, served: { fromMs: served.fromMs.slice(0, 1), toMs: served.toMs.slice(0, 1) } },
  };
  const later = judgeIndependence(run, rowOf('run'), [first, run]);
  expect(later.observed).toBe('served while it was exhausted: none; it was served while these were: cancel');
  const sooner = judgeIndependence(first, rowOf('cancel'), [first, run]);
  expect(sooner.observed).toBe('served while it was exhausted: run');
});

test('where another was exhausted all the while as well, either may be why', () => {
  const victim = refusedMeanwhile(run, cancel);
  const rival = { ...factsOf('runsync', slidingLog(LIMIT, WINDOW_MS), 0), limitId: 'runsync.rate' };
  const claim = judgeIndependence(cancel, rowOf('cancel'), [cancel, victim, rival]);
  expect(claim).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('it and runsync') });
  // One that was served while the other was exhausted at another time is not counted with it.
  const apart = {
    ...rival,
    exhaustion: { ...rival.exhaustion, exhausted: [...rival.exhaustion.exhausted, ...atEnd(victim)] },
  };
  expect(judgeIndependence(cancel, rowOf('cancel'), [cancel, victim, apart]).verdict).toBe('broken');
});

/** While the last of its requests were served. */
function atEnd({ exhaustion: { served } }: RateFacts) {
  return [{ fromMs: (served.fromMs.at(-1) ?? 0) - 500, toMs: (served.toMs.at(-1) ?? 0) + 500 }];
}

test('what is refused meanwhile, within its own limit, is counted together', () => {
  const victim = refusedMeanwhile(run, cancel);
  const claim = judgeIndependence(cancel, rowOf('cancel'), [cancel, victim]);
  expect(claim).toMatchObject({ verdict: 'broken', observed: expect.stringContaining('run') });
});

test('no verdict where nothing was exhausted, or nothing else asked on the same endpoint', () => {
  const free = factsOf('cancel', unlimited, 0);
  expect(judgeIndependence(free, rowOf('cancel'), [free, run]).verdict).toBe('inconclusive');
  const elsewhere = { ...run, instId: 'inst-b' };
  expect(judgeIndependence(cancel, rowOf('cancel'), [cancel, elsewhere])).toMatchObject({
    verdict: 'not-observable',
    reason: expect.stringContaining('inst-a'),
  });
  const later = factsOf('run', slidingLog(LIMIT, WINDOW_MS), 900_000);
  expect(judgeIndependence(cancel, rowOf('cancel'), [cancel, later]).verdict).toBe('inconclusive');
});

test('one that refuses within its limit all the time does so for reasons of its own', () => {
  const [run, cancel] = [factsOf('run', slidingLog(LIMIT, WINDOW_MS), 0), factsOf('cancel', unlimited, 1000)];
  const refused = refusedMeanwhile(cancel, run);
  const [spell] = run.exhaustion.exhausted;
  if (!spell) throw new Error('run was never exhausted');
  const later = refused.exhaustion.refusedWithin.map(() => ({ fromMs: spell.toMs + 1000, toMs: spell.toMs + 1002 }));
  const always = { ...refused.exhaustion, refusedWithin: [...refused.exhaustion.refusedWithin, ...later] };
  expect(judgeIndependence(run, rowOf('run'), [refused]).verdict).toBe('broken');
  expect(judgeIndependence(run, rowOf('run'), [{ ...refused, exhaustion: always }]).verdict).not.toBe('broken');
});

test('what is said does not depend on which probe was done first', () => {
  const facts = (['run', 'runsync', 'cancel'] as const).map((operation, index) =>
    factsOf(operation, slidingLog(LIMIT, WINDOW_MS), 1000 * index),
  );
  const said = [facts, facts.toReversed()].map((all) => {
    const [first] = facts;
    if (!first) throw new Error('no facts');
    return judgeIndependence(first, rowOf('run'), judgingContext(all, []).rates);
  });
  expect(said[0]).toEqual(said[1]);
});

test('two times count together: what the first one missed the second one may show, and the other way round', () => {
  const late = (operation: OperationId, laterMs: number) => factsOf(operation, slidingLog(LIMIT, WINDOW_MS), laterMs);
  const apart = [cancel, late('run', 900_000)];
  expect(judgeIndependence(cancel, rowOf('cancel'), judgingContext(apart, []).rates).verdict).toBe('inconclusive');
  const both = [...apart, late('cancel', 900_500)];
  for (const all of [both, both.toReversed()]) {
    expect(judgeIndependence(cancel, rowOf('cancel'), judgingContext(all, []).rates).verdict).toBe('holds');
  }
});

test('a bucket is never exhausted for long, but what is served beyond its refill is counted apart', () => {
  const bucket = () => tokenBucket(LIMIT, LIMIT, WINDOW_MS);
  const early = factsOf('cancel', bucket(), 0);
  const late = factsOf('run', bucket(), 1500);
  expect(early.algorithm).toBe('token-bucket');
  expect(judgeIndependence(early, rowOf('cancel'), [early, late]).verdict).toBe('holds');
  expect(judgeIndependence(late, rowOf('run'), [early, late]).verdict).toBe('holds');
});

test.each([
  [0.9, 'inconclusive'],
  [1, 'inconclusive'],
  [1.5, 'holds'],
])('served at %f of its refill since the bucket was empty: %s', (share, verdict) => {
  const bucket = factsOf('cancel', tokenBucket(LIMIT, LIMIT, WINDOW_MS), 0);
  const emptyMs = bucket.exhaustion.exhausted[0]?.toMs ?? Number.NaN;
  const apartMs = WINDOW_MS / LIMIT / share;
  const fromMs = Float64Array.from({ length: 2 * LIMIT }, (_, index) => emptyMs + (index + 1) * apartMs);
  const served = { fromMs, toMs: fromMs.map((ms) => ms + 1) };
  const other = { ...run, exhaustion: { ...run.exhaustion, exhausted: [], served } };
  // Spells that are as long as a look at two clocks would show it anyway.
  const exhausted = bucket.exhaustion.exhausted.map(({ toMs }) => ({ fromMs: toMs - 1, toMs })).slice(0, 1);
  const first = { ...bucket, exhaustion: { ...bucket.exhaustion, exhausted } };
  expect(judgeIndependence(first, rowOf('cancel'), [first, other]).verdict).toBe(verdict);
});
