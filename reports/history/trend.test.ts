import { expect, test } from 'vitest';
import type { PastRun } from '../../schemas/history.ts';
import type { ResultLimit, Results } from '../../schemas/results.ts';
import { historyReport, sortedFor } from './index.ts';
import { historyLine, pastRun } from './line.ts';
import { printedTrend } from './print.ts';
import { night, withLatency } from './testing/fixtures.ts';
import { trendOf } from './trend.ts';
import { brokenTrendWords, comparedWords, latencyTrendWords, limitTrendWords } from './words.ts';

const plain = (_: string, text: string): string => text;

function measuring(results: Results, measured: ResultLimit['measured']): Results {
  return { ...results, limits: results.limits.map((one) => (one.id === 'run.rate' ? { ...one, measured } : one)) };
}
const past = (nights: readonly Results[]): PastRun[] => nights.map((one) => pastRun(one));
const nights = (count: number, make: (index: number) => Results = night): Results[] =>
  Array.from({ length: count }, (_, index) => make(index));

test('a limit that was always measured alike is one sentence', () => {
  const { limits, runs } = trendOf(past(nights(12)));
  const rate = limits.find(({ id }) => id === 'run.rate');
  expect(rate && limitTrendWords(rate, runs)).toBe('1,000 requests per 10 s in all 12 runs');
  expect(rate?.points).toHaveLength(12);
});

test('a limit that changed says from which night on', () => {
  const values = [1000, 1000, 800, 800, null];
  const trend = trendOf(
    past(
      values.map((value, index) =>
        measuring(night(index), value === null ? { lower: 3000, upper: null } : { lower: value, upper: value }),
      ),
    ),
  );
  const rate = trend.limits.find(({ id }) => id === 'run.rate');
  expect(rate?.changes).toEqual([2, 4]);
  expect(rate && limitTrendWords(rate, trend.runs)).toBe(
    '1,000 requests per 10 s, then 800 requests per 10 s since 2026-09-03 03:00 UTC, then no bound found: ' +
      'at least 3,000 requests per 10 s since 2026-09-05 03:00 UTC',
  );
});

test('a measurement that is missing, or wider, is no change', () => {
  const seen: ResultLimit['measured'][] = [
    { lower: 1000, upper: 1000 },
    null,
    { lower: 900, upper: 1100 },
    { lower: 1000, upper: 1000 },
  ];
  const { limits } = trendOf(past(seen.map((measured, index) => measuring(night(index), measured))));
  expect(limits.find(({ id }) => id === 'run.rate')).toMatchObject({
    changes: [],
    points: [{ run: 0 }, { run: 2 }, { run: 3 }],
  });
});

test('latency that became slower is marked where it did', () => {
  const slow = nights(24, (index) => withLatency(night(index), 'run', (index < 16 ? 8 : 13) + (index % 3) / 10));
  const { latency, runs } = trendOf(past(slow));
  expect(
    latency.map(({ operation, percentile, changes }) => [operation, percentile, changes.map(({ at }) => at)]),
  ).toEqual([['run', 'p95', [16]]]);
  expect(latency[0] && latencyTrendWords(latency[0], runs)).toBe(
    'p95 13 ms, 8.0 ms to 13 ms so far; about 13 ms since 2026-09-17 03:00 UTC, before that about 8.1 ms',
  );
});

test('since when something is broken, and how often it broke', () => {
  const kinds = ['passing', 'failing', 'passing', 'failing', 'failing'] as const;
  const { broken, runs } = trendOf(past(kinds.map((kind, index) => night(index, kind))));
  const [first] = broken;
  expect(first).toMatchObject({
    id: 'run.rate.enforced',
    verdict: 'fail',
    since: { run: 3 },
    everSince: false,
    times: 2,
  });
  expect(first && brokenTrendWords(first, runs)).toBe('since 2026-09-04 03:00 UTC (2 runs); it broke 2 times in all');
  const always = trendOf(past([night(0, 'failing'), night(1, 'failing')]));
  expect(always.broken[0] && brokenTrendWords(always.broken[0], always.runs)).toMatch(/^in every run that is known/);
});

test('a night that decided nothing is no end of a break, neither in its trend nor as the last comparable run', () => {
  const open = (index: number): Results => {
    const one = night(index, 'failing');
    const checks = one.checks.map((check) =>
      check.verdict === 'fail' ? { ...check, verdict: 'inconclusive' as const } : check,
    );
    return { ...one, checks };
  };
  const all = [night(0), night(1, 'failing'), open(2), open(3), night(4, 'failing')];
  const { broken } = trendOf(past(all));
  expect(broken.find(({ id }) => id === 'run.rate.enforced')).toMatchObject({ since: { run: 1 }, times: 1 });
  const since = (now: Results) => {
    const lines = all.slice(0, 4).map(historyLine);
    const changes = historyReport(now, 'h', { lines, unreadable: 0 }).since?.checks;
    return changes?.find(({ id }) => id === 'run.rate.enforced');
  };
  expect(since(night(4, 'failing'))).toMatchObject({ kind: 'still', before: 'fail' });
  expect(since(night(4))).toMatchObject({ kind: 'fixed', before: 'fail' });
  expect(since(open(4))).toBeUndefined();
});

test('runs that were merged are nothing that the whole is compared with', () => {
  const lines = [night(0), night(1, 'failing')].map(historyLine);
  const whole = night(2);
  const part = { id: 'night-1', startedAt: night(1).run.startedAt, durationMs: 5 };
  const report = historyReport({ ...whole, run: { ...whole.run, merged: { runs: [part], notes: [] } } }, 'h', {
    lines,
    unreadable: 0,
  });
  expect(report.runs.map(({ run }) => run.id)).toEqual(['night-0']);
});

test('runs with other parameters, without an end or a verdict are left out and counted', () => {
  const run = night(0).run;
  const lines = [
    night(0),
    night(1, 'passing', { run: { ...run, id: 'n', profile: 'nightly' } }),
    night(2, 'interrupted'),
    night(3, 'passing', { verdict: 'error' }),
    night(4),
  ].map(historyLine);
  const { comparable, leftOut } = sortedFor(lines, historyLine(night(9)).parameters);
  expect(comparable.map((line) => line.run.id)).toEqual(['night-0', 'night-4']);
  expect(leftOut).toEqual([
    { why: 'with another profile', runs: 1 },
    { why: 'not whole', runs: 1 },
    { why: 'without a verdict', runs: 1 },
  ]);
});

test('a run is compared with the last whole one before it, and never with itself or a later one', () => {
  const lines = [night(0), night(1, 'failing'), night(2, 'interrupted'), night(3), night(4)].map(historyLine);
  const report = historyReport(night(3, 'failing'), 'h', { lines, unreadable: 2 });
  expect(report.since?.run.id).toBe('night-1');
  expect(report.since?.checks.map(({ kind }) => kind)).toEqual(['still', 'still', 'still']);
  expect(report.runs.map(({ run }) => run.id)).toEqual(['night-0', 'night-1']);
  expect(comparedWords(report)).toBe(
    'Compared with 2 earlier runs with the same parameters. 1 run of the file left out: not whole. 2 lines of the file could not be read.',
  );
});

test('a report keeps the newest sixty, and says so', () => {
  const report = historyReport(night(99), 'h', { lines: nights(70).map(historyLine), unreadable: 0 });
  expect([report.runs.length, report.earlier, report.runs[0]?.run.id]).toEqual([60, 10, 'night-10']);
  expect(comparedWords(report)).toContain('60 earlier runs with the same parameters, the newest of 70');
});

test('the first run of all says that there is none to compare it with', () => {
  const report = historyReport(night(0), 'h', { lines: [], unreadable: 0 });
  expect(report.since).toBeUndefined();
  expect(comparedWords(report)).toBe('No comparable earlier run.');
});

test('for a terminal: a line for each limit, a row of blocks for each latency', () => {
  const slow = nights(3, (index) => withLatency(night(index, index === 2 ? 'failing' : 'passing'), 'run', 8 + index));
  const runs = past(slow);
  const [first] = slow.map(historyLine);
  const lines = printedTrend(
    trendOf(runs),
    {
      parameters: first?.parameters ?? historyLine(night(0)).parameters,
      leftOut: [],
      unreadable: 0,
      newest: runs.at(-1),
    },
    plain,
  );
  expect(lines[0]).toBe(
    '3 runs of http://127.0.0.1:40123 and https://jobs.staging.example, profile gate, 2026-09-01 03:00 UTC to 2026-09-03 03:00 UTC',
  );
  expect(lines.join('\n')).toMatch(/^ {2}run +▇▇█ {2}p95 10 ms, 8\.0 ms to 10 ms so far$/m);
  expect(lines.join('\n')).toContain('✕ run.rate.enforced since 2026-09-03 03:00 UTC (1 run)');
});
