/** Several runs as one: what any saw wrong stays, sums are sums, percentiles are those of all times together. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clauses } from '../../schemas/clauses/index.ts';
import type { LoadFacts } from '../../schemas/facts.ts';
import type { ResultCheck, ResultLimit, Results } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { latencyRows } from '../latency/rows.ts';
import { samplesOf } from '../latency/samples.ts';
import { streamRows } from '../latency/streams.ts';
import { facts, requests, streamFacts } from '../latency/testing/paced.ts';
import { stored } from '../stored.ts';
import { type SampleKind, sampleResults } from '../testing/fixtures.ts';
import { schemaBreaks } from '../validate.ts';
import { rejudged } from '../verdicts/limit-rows.ts';
import { mergeChecks, mergeLimits, mergeRuns, spanMs } from './merge.ts';

const asked = { contract: true, load: true, only: [], goals: {} };

function run(id: string, kind: SampleKind = 'passing', changes: Partial<Results> = {}): Results {
  const sample = sampleResults(kind);
  return { ...sample, target: { ...sample.target, kind: 'remote' }, run: { ...sample.run, id, asked }, ...changes };
}

const merged = (...runs: readonly Results[]): Results =>
  mergeRuns(
    runs.map((results) => ({ results, samples: null })),
    clauses,
  );

/** The part of a run whose checks a word begins. */
function shard(results: Results, mine: (id: string) => boolean, changes: Partial<Results> = {}): Results {
  const checks = results.checks.filter(({ id }) => mine(id));
  const limits = results.limits.filter(({ id }) => mine(id));
  const counts = { ...results.counts, declared: checks.length, emitted: checks.length };
  return { ...results, checks, limits, counts, ...changes };
}

test.each(['passing', 'failing', 'inconclusive'] as const)('shards of a %s run are that run again', (kind) => {
  const whole = run('whole', kind);
  const isRun = (id: string): boolean => id.startsWith('run');
  const [one, two] = [shard(whole, isRun), shard(whole, (id) => !isRun(id))];
  const again = merged(run('a', kind, one), { ...two, run: { ...two.run, id: 'b' } });
  const byId = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
    [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(again).toMatchObject({
    verdict: whole.verdict,
    exitCode: whole.exitCode,
    counts: whole.counts,
    complete: true,
  });
  expect(byId(again.checks)).toEqual(byId(whole.checks));
  expect(byId(again.limits)).toEqual(byId(rejudged(whole.limits, whole.checks)));
  expect(again.coverage.checked).toBe(whole.coverage.checked);
  expect(schemaBreaks(stored(again))).toEqual([]);
});

test('one break among many runs breaks the whole', () => {
  expect(merged(run('a'), run('b', 'failing'), run('c'))).toMatchObject({ verdict: 'fail', exitCode: 1 });
});

test('a run that is not whole makes the whole so, and says which one it was', () => {
  const { complete, exitCode, run: together } = merged(run('a'), run('b', 'interrupted'));
  expect({ complete, exitCode }).toEqual({ complete: false, exitCode: 130 });
  expect(together.interrupted).toBe('b: Ctrl-C');
});

test('checks that a run declared and lost stay counted', () => {
  const sample = run('b');
  const lossy = { ...sample, complete: false, counts: { ...sample.counts, declared: sample.counts.emitted + 3 } };
  const { counts, verdict } = merged(run('a'), lossy);
  expect(counts.declared - counts.emitted).toBe(3);
  expect(verdict).toBe('error');
});

const verdictsOf = (...words: readonly Verdict[]): string | undefined => {
  const [template] = sampleResults('passing').checks;
  const checks = words.map((verdict) => [{ ...template, verdict, reason: `because ${verdict}` } as ResultCheck]);
  return mergeChecks(checks)[0]?.verdict;
};

test.each([
  [['pass', 'fail'], 'fail'],
  [['fail', 'inconclusive'], 'fail'],
  [['pass', 'inconclusive'], 'pass'],
  [['skipped', 'pass'], 'pass'],
  [['not-observable', 'warn'], 'warn'],
  [['pass', 'error'], 'error'],
  [['inconclusive', 'skipped'], 'inconclusive'],
  [['known', 'pass'], 'known'],
] as const)('%j together are %s', (words, verdict) => {
  expect(verdictsOf(...words)).toBe(verdict);
  expect(verdictsOf(...[...words].reverse())).toBe(verdict);
});

test('what one run left open and another decided says why it was open', () => {
  const [template] = sampleResults('passing').checks;
  const open = { ...template, verdict: 'inconclusive', reason: 'too slow' } as ResultCheck;
  expect(mergeChecks([[open], [{ ...template, verdict: 'pass' } as ResultCheck]])[0]).toMatchObject({
    verdict: 'pass',
    firstTime: 'too slow',
  });
});

const measuring = (measured: ResultLimit['measured'], algorithm = 'sliding-log'): ResultLimit[] =>
  run('x')
    .limits.filter(({ id }) => id === 'run.rate')
    .map((limit) => ({ ...limit, measured, algorithm }));

test.each([
  [
    { lower: 990, upper: 1010 },
    { lower: 1000, upper: null },
    { lower: 1000, upper: 1010 },
  ],
  [{ lower: 990, upper: 1010 }, null, { lower: 990, upper: 1010 }],
  [
    { lower: 800, upper: 800 },
    { lower: 1000, upper: 1000 },
    { lower: 800, upper: 1000 },
  ],
  [
    { lower: 800, upper: 800 },
    { lower: 1000, upper: null },
    { lower: 800, upper: null },
  ],
  [null, null, null],
] as const)('%j and %j are %j', (one, other, both) => {
  const checks = run('x').checks;
  expect(mergeLimits([measuring(one), measuring(other)], checks).map(({ measured }) => measured)).toEqual([both]);
  expect(mergeLimits([measuring(other), measuring(one)], checks).map(({ measured }) => measured)).toEqual([both]);
});

test('an algorithm is named where all of them that name one agree', () => {
  const named = (...names: readonly string[]) =>
    mergeLimits(
      names.map((name) => measuring({ lower: 1, upper: 1 }, name)),
      [],
    )[0]?.algorithm;
  expect([named('sliding-log', 'unknown'), named('sliding-log', 'fixed-window'), named('unknown', 'unknown')]).toEqual([
    'sliding-log',
    'unknown',
    'unknown',
  ]);
});

const times = fc.array(fc.double({ min: 0, max: 5000, noNaN: true }), { minLength: 1, maxLength: 150 });

/** Paced load and streams that took such times. */
function loadOf(ms: readonly number[]): LoadFacts[] {
  const own = requests('run', {
    dueToEndMs: ms,
    sentToEndMs: ms.map((one) => one / 2),
    sentToFirstByteMs: ms.map((one) => one / 4),
  });
  const phase = { phase: 'pace', periodMs: 10, planned: { run: ms.length }, tookMs: 1, requests: [own] };
  return [
    facts([phase]),
    streamFacts([{ status: 200, tokensMs: ms.slice(0, 5).map((_, index) => 10 * index), wholeMs: 60 }]),
  ];
}

test('percentiles are those of all times together, to the hundredth', () => {
  fc.assert(
    fc.property(fc.array(times, { minLength: 2, maxLength: 4 }), (runs) => {
      const loads = runs.map(loadOf);
      const parts = loads.map((load, index) => ({
        results: run(`part-${index}`, 'passing', { latency: latencyRows(load), streams: streamRows(load) }),
        samples: samplesOf(load),
      }));
      const together = mergeRuns(parts, clauses);
      expect(together.latency).toEqual(latencyRows(loads.flat()));
      expect(together.streams).toEqual(streamRows(loads.flat()));
    }),
    { numRuns: 60 },
  );
});

test('without the times of all of them an operation has no percentiles, and the report says so', () => {
  const load = loadOf([1, 2, 3]);
  const having = run('a', 'passing', { latency: latencyRows(load) });
  const together = mergeRuns(
    [
      { results: having, samples: samplesOf(load) },
      { results: { ...having, run: { ...having.run, id: 'b' } }, samples: null },
    ],
    clauses,
  );
  expect(together.latency).toBeUndefined();
  expect(together.run.merged?.notes).toEqual(['latency of run is left out: no times were kept of b']);
  const alone = mergeRuns(
    [
      { results: having, samples: null },
      { results: run('b'), samples: null },
    ],
    clauses,
  );
  expect(alone.latency).toEqual(having.latency);
});

test('traffic, left-behind jobs and generators add up', () => {
  const traffic = { load: { announced: { requests: 10, bytes: 5 }, sent: { requests: 7 } } };
  const busy = (id: string): Results => {
    const one = run(id);
    return { ...one, run: { ...one.run, traffic } };
  };
  const three = merged(busy('a'), busy('b'), run('c'));
  expect(three.run.traffic).toEqual({ load: { announced: { requests: 20, bytes: 10 }, sent: { requests: 14 } } });
});

test('what was merged can be merged again, and is the same as all at once', () => {
  const [a, b, c] = [run('a'), run('b', 'failing'), run('c', 'inconclusive')];
  const twice = merged(merged(a, b), c);
  const once = merged(a, b, c);
  expect(twice.run.merged).toEqual(once.run.merged);
  expect(twice.counts).toEqual(once.counts);
  expect(() => merged(merged(a, b), b)).toThrow('the run b is given twice');
});

test.each([
  [
    'profile',
    (one: Results) => ({ ...one, run: { ...one.run, profile: 'nightly' } }) as Results,
    /no parts of one run: profile "gate", now "nightly"/,
  ],
  [
    'target',
    (one: Results) => ({ ...one, target: { ...one.target, baseUrl: 'http://other' } }),
    /no parts of one run: baseUrl/,
  ],
  [
    'version',
    (one: Results) => ({ ...one, run: { ...one.run, suiteVersion: '9.9.9' } }),
    /different versions of proofload, 0\.1\.0 and 9\.9\.9/,
  ],
] as const)('runs of another %s are no parts of one', (_, change, message) => {
  expect(() => merged(run('a'), change(run('b')))).toThrow(message);
});

test('shards may run different checks', () => {
  const only = (id: string, globs: readonly string[]): Results => {
    const one = run(id);
    return { ...one, run: { ...one.run, asked: { ...asked, only: globs } } };
  };
  expect(merged(only('a', ['run.*']), only('b', ['models.*'])).run.asked?.only).toEqual(['models.*', 'run.*']);
  expect(merged(only('a', ['run.*']), only('b', [])).run.asked?.only).toEqual([]);
});

test('the time is that in which at least one of them ran', () => {
  const span = (from: number, to: number) => ({
    startedAt: new Date(from).toISOString(),
    durationMs: to - from,
  });
  expect(spanMs([span(0, 100), span(50, 120), span(500, 510)])).toBe(130);
  expect(spanMs([span(0, 100), span(10, 20)])).toBe(100);
});
