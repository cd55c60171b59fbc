import { expect, test } from 'vitest';
import type { Clause } from '../schemas/clauses/clause.ts';
import type { ResultCheck } from '../schemas/results.ts';
import { type AssembleInput, assemble } from './assemble.ts';
import { check, sampleResults } from './testing/fixtures.ts';

const one = (id: string, changes: Partial<ResultCheck> = {}): ResultCheck =>
  check({ id, title: id, clauses: ['run.rate'], level: 'documented' }, changes);

const clauses: readonly Clause[] = [
  { id: 'run.rate', section: '8.2', level: 'documented', text: 'a', observable: true },
  { id: 'run.secret', section: '1', level: 'documented', text: 'b', observable: { needs: 'a look inside' } },
  { id: 'gap.x', section: '2', level: 'observed', text: 'c', observable: true },
];

function results(checks: readonly ResultCheck[], changes: Partial<AssembleInput> = {}) {
  const { run, target } = sampleResults('passing');
  return assemble({ checks, limits: [], declared: checks.map(({ id }) => id), run, target, clauses, ...changes });
}

test('a run in which all that was declared reported is complete', () => {
  const whole = results([one('run.a'), one('run.b')]);
  expect(whole).toMatchObject({
    complete: true,
    verdict: 'pass',
    exitCode: 0,
    counts: { declared: 2, emitted: 2, pass: 2 },
  });
  expect(whole.run.interrupted).toBeUndefined();
});

test('a check that was declared and never reported makes the run an error that names it', () => {
  const lost = results([one('run.a')], { declared: ['run.a', 'run.b'] });
  expect(lost).toMatchObject({ complete: false, verdict: 'error', exitCode: 2, counts: { declared: 2, emitted: 1 } });
  expect(lost.run.interrupted).toBe('1 of 2 declared checks did not report: run.b');
});

test('as many reported as declared is not enough: they must be the same', () => {
  const swapped = results([one('run.a')], { declared: ['run.b'] });
  expect(swapped).toMatchObject({ complete: false, verdict: 'error', exitCode: 2 });
  expect(swapped.run.interrupted).toContain('did not report: run.b');
  expect(swapped.run.interrupted).toContain('without being declared: run.a');
});

test('a long list of lost checks is cut', () => {
  const declared = Array.from({ length: 9 }, (_, index) => `run.c${index}`);
  expect(results([], { declared }).run.interrupted).toMatch(/run\.c4 and 4 more$/);
});

test('an interrupted run keeps what it saw, says who stopped it and exits 130', () => {
  const stopped = results([one('run.a', { verdict: 'fail' })], { declared: ['run.a', 'run.b'], interrupted: 'Ctrl-C' });
  expect(stopped).toMatchObject({ complete: false, verdict: 'fail', exitCode: 130, run: { interrupted: 'Ctrl-C' } });
});

test('a harness that broke is an error, and hides no broken promise', () => {
  const fault = 'k6 could not be started';
  expect(results([one('run.a')], { fault })).toMatchObject({ complete: false, verdict: 'error', exitCode: 2 });
  const seen = results([one('run.a', { verdict: 'fail' })], { fault });
  expect(seen).toMatchObject({ complete: false, verdict: 'fail', exitCode: 1, run: { interrupted: fault } });
});

test('for any cause of the stop, an error during it is reported too', () => {
  const both = results([one('run.a')], { interrupted: 'Ctrl-C', fault: 'the baseline was not written' });
  expect(both).toMatchObject({ exitCode: 130, run: { interrupted: 'Ctrl-C; the baseline was not written' } });
});

test('nothing selected says nothing', () => {
  expect(results([])).toMatchObject({ complete: true, verdict: 'error', exitCode: 2 });
});

test('a baseline changes the verdicts of its checks before anything is counted', () => {
  const entry = { check: 'run.a', target: 'reference', expect: 'fail', reason: 'old', at: 'b.yaml:3' } as const;
  const baseline = { file: 'b.yaml', text: '', entries: [entry] };
  const given = results([one('run.a', { verdict: 'fail' }), one('run.b')], { baseline });
  expect(given).toMatchObject({
    exitCode: 0,
    counts: { known: 1, fail: 0, pass: 1 },
    baseline: { known: 1, entries: 1 },
  });
  expect(given.baseline).not.toHaveProperty('updated');
  const updated = { added: ['run.a'], removed: [], seen: [] };
  const stale = results([one('run.a'), one('run.b')], { baseline: { ...baseline, updated } });
  expect(stale).toMatchObject({ exitCode: 1, verdict: 'fail', counts: { pass: 2 }, baseline: { updated } });
  expect(results([one('run.a')]).baseline).toBeUndefined();
});

test('an entry holds on the day it names, as the run began (UTC), and not on the next', () => {
  const { run } = sampleResults('passing');
  const entry = {
    check: 'run.a',
    target: '*',
    expect: 'fail',
    reason: 'old',
    expires: '2026-11-21',
    at: 'b:3',
  } as const;
  const baseline = { file: 'b', text: '', entries: [entry] };
  const on = (startedAt: string) =>
    results([one('run.a', { verdict: 'fail' })], { baseline, run: { ...run, startedAt } }).exitCode;
  expect(on('2026-11-21T23:59:59.999Z')).toBe(0);
  expect(on('2026-11-22T00:00:00.000Z')).toBe(1);
});

test('strict turns an inconclusive documented check into exit 3', () => {
  const checks = [one('run.a'), one('run.b', { verdict: 'inconclusive' })];
  expect(results(checks).exitCode).toBe(0);
  expect(results(checks, { strict: true })).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
});

test.each([['pass', 'fail'] as const, ['fail', 'pass'] as const])(
  'an id reported as %s and %s counts once, as fail',
  (a, b) => {
    const twice = results([one('run.a', { verdict: a }), one('run.a', { verdict: b })]);
    expect(twice.counts).toMatchObject({ emitted: 1, declared: 1, fail: 1, pass: 0 });
  },
);

test('coverage counts what reported, and as checked only what said something', () => {
  const seen = results([one('run.a', { verdict: 'skipped' }), one('run.b')]);
  expect(seen.coverage).toEqual({
    clauses: 3,
    observable: 2,
    checked: 1,
    byClause: { 'run.rate': ['run.a', 'run.b'], 'run.secret': [], 'gap.x': [] },
  });
  expect(results([one('run.a', { verdict: 'not-observable' })]).coverage.checked).toBe(0);
});

test('a clause that only a check knows is listed and counts for nothing', () => {
  const odd = results([one('run.a', { clauses: ['elsewhere'] })]);
  expect(odd.coverage).toMatchObject({ clauses: 3, checked: 0 });
  expect(odd.coverage.byClause).toHaveProperty('elsewhere', ['run.a']);
});
