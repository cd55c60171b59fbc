import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeKind, HistoryLimit, Standing } from '../../schemas/history.ts';
import type { ResultCheck, Results } from '../../schemas/results.ts';
import { historyLine } from '../history/line.ts';
import { sampleResults } from '../testing/fixtures.ts';
import { apart, changeKind, changesBetween, sideOf, sideOfPast } from './changes.ts';
import { changesInWords, limitChangeWords } from './words.ts';

const table: readonly (readonly [Standing, Standing, ChangeKind | undefined])[] = [
  ['pass', 'fail', 'broken'],
  ['fine', 'fail', 'broken'],
  ['absent', 'fail', 'broken'],
  ['inconclusive', 'fail', 'broken'],
  ['warn', 'fail', 'broken'],
  ['pass', 'warn', 'broken'],
  ['fail', 'fail', 'still'],
  ['warn', 'warn', 'still'],
  ['fail', 'warn', 'still'],
  ['fail', 'pass', 'fixed'],
  ['warn', 'observed', 'fixed'],
  ['fail', 'inconclusive', 'lost'],
  ['fail', 'error', 'lost'],
  ['fail', 'skipped', 'lost'],
  ['fail', 'not-observable', 'lost'],
  ['warn', 'absent', 'lost'],
  ['pass', 'inconclusive', 'doubtful'],
  ['fine', 'error', 'doubtful'],
  ['skipped', 'inconclusive', 'doubtful'],
  ['inconclusive', 'pass', 'settled'],
  ['error', 'observed', 'settled'],
  ['inconclusive', 'inconclusive', undefined],
  ['inconclusive', 'error', undefined],
  ['inconclusive', 'skipped', undefined],
  ['pass', 'pass', undefined],
  ['pass', 'skipped', undefined],
  ['fine', 'observed', undefined],
  ['absent', 'pass', undefined],
];

test.each(table)('%s before and %s now: %s', (before, now, kind) => {
  expect(changeKind(before, now)).toBe(kind);
});

function changed(results: Results, changes: Readonly<Record<string, Partial<ResultCheck>>>): Results {
  return { ...results, checks: results.checks.map((check) => ({ ...check, ...changes[check.id] })) };
}

test('a run has not changed against itself, but for what is still broken', () => {
  const failing = sampleResults('failing');
  const { checks, limits } = changesBetween(sideOf(failing), sideOf(failing));
  expect(limits).toEqual([]);
  expect(checks.map(({ id, kind }) => [id, kind])).toEqual([
    ['run.rate.enforced', 'still'],
    ['run.payload.refusal', 'still'],
    ['runsync.payload.guarantee', 'still'],
  ]);
  expect(changesInWords({ checks, limits })).toBe('2 still broken, 1 convention still broken');
});

test('a limit that was not measured has not moved, with any documented value', () => {
  const failing = sampleResults('failing');
  const unmeasured = failing.limits.map((limit) => ({ ...limit, measured: null, documented: { value: 7 } }));
  expect(changesBetween(sideOf(failing), sideOf({ ...failing, limits: unmeasured })).limits).toEqual([]);
});

test('a run that tests less is marked', () => {
  const passing = sampleResults('passing');
  const checks = passing.checks.map((check, index) =>
    index < 5 ? { ...check, verdict: 'not-observable' as const, reason: 'needs a key' } : check,
  );
  const fewer = { ...passing, checks, counts: { ...passing.counts, notObservable: passing.counts.notObservable + 5 } };
  expect(changesInWords(changesBetween(sideOf(passing), sideOf(fewer)))).toBe('5 checks fewer tested');
  expect(changesInWords(changesBetween(sideOf(fewer), sideOf(passing)))).toBe('nothing changed');
});

test('from a passing run to a failing one, and back', () => {
  const [passing, failing] = [sideOf(sampleResults('passing')), sideOf(sampleResults('failing'))];
  const there = changesBetween(passing, failing);
  expect(changesInWords(there)).toBe(
    '2 newly broken, 1 convention newly broken, 2 no longer decided, 4 checks fewer tested',
  );
  expect(changesInWords(changesBetween(failing, passing))).toMatch(/^2 fixed, 1 convention fixed, 2 decided now/);
});

test('the history agrees with the results, where everything ran', () => {
  const kinds = ['passing', 'failing', 'inconclusive'] as const;
  for (const before of kinds)
    for (const now of kinds) {
      const [old, recent] = [sampleResults(before), sampleResults(now)];
      const kindsOf = ({ checks }: ReturnType<typeof changesBetween>) => checks.map(({ id, kind }) => [id, kind]);
      expect(kindsOf(changesBetween(sideOfPast(historyLine(old)), sideOf(recent)))).toEqual(
        kindsOf(changesBetween(sideOf(old), sideOf(recent))),
      );
    }
});

test('an excuse changes nothing about what was seen, and is said', () => {
  const failing = sampleResults('failing');
  const known = { verdict: 'fail', reason: 'OPS-7' } as const;
  const excused = changed(failing, { 'run.rate.enforced': { verdict: 'known', known } });
  const { checks } = changesBetween(sideOf(failing), sideOf(excused));
  expect(checks[0]).toEqual({ id: 'run.rate.enforced', kind: 'still', before: 'fail', now: 'fail', known: true });
});

test('a check that is gone is listed only where it was wrong', () => {
  const failing = sampleResults('failing');
  const fewer = { ...failing, checks: failing.checks.filter(({ id }) => !id.startsWith('run.')) };
  const lost = changesBetween(sideOf(failing), sideOf(fewer)).checks.filter(({ kind }) => kind === 'lost');
  expect(lost.map(({ id, now }) => [id, now])).toEqual([
    ['run.rate.enforced', 'absent'],
    ['run.payload.refusal', 'absent'],
  ]);
});

test('measurements are apart exactly when no value is in both', () => {
  const side = fc.record({ lower: fc.nat(20), more: fc.option(fc.nat(5)) });
  fc.assert(
    fc.property(side, side, (one, other) => {
      const [a, b] = [one, other].map(({ lower, more }) => ({ lower, upper: more === null ? null : lower + more }));
      const holds = (value: number, of: typeof a): boolean =>
        of !== undefined && value >= of.lower && value <= (of.upper ?? 1000);
      const common = Array.from({ length: 1001 }, (_, value) => value).some(
        (value) => holds(value, a) && holds(value, b),
      );
      expect(apart(a ?? null, b ?? null)).toBe(!common);
    }),
  );
  expect(apart(null, { lower: 1, upper: 1 })).toBe(false);
});

test('a limit that moved is listed with both values', () => {
  const before = sideOf(sampleResults('passing'));
  const limits = before.limits.map((limit) =>
    limit.id === 'run.rate' ? { ...limit, measured: { lower: 800, upper: 810 } } : limit,
  );
  const changes = changesBetween(before, { ...before, limits });
  expect(changesInWords(changes)).toBe('1 limit with another measured value');
  expect(changes.limits.map(limitChangeWords)).toEqual([
    'run.rate: 1,000 requests per 10 s (token-bucket) before, now 800 to 810 requests per 10 s (token-bucket)',
  ]);
});

test.each([
  [{ algorithm: 'fixed-window' }, true],
  [{ algorithm: 'unknown' }, false],
  [{ documented: { value: 2000, windowMs: 10_000 } }, true],
  [{ measured: null }, false],
  [{ measured: { lower: 999, upper: 1001 } }, false],
  [{ measured: { lower: 1001, upper: null } }, true],
] as const)('a limit that is now %j', (change: Partial<HistoryLimit>, reported) => {
  const before = sideOf(sampleResults('passing'));
  const limits = before.limits.map((limit) => (limit.id === 'run.rate' ? { ...limit, ...change } : limit));
  expect(changesBetween(before, { ...before, limits }).limits.map(({ id }) => id)).toEqual(
    reported ? ['run.rate'] : [],
  );
});
