import { expect, test } from 'vitest';
import { judge } from '../../reports/verdicts/index.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { addLater, closed, declaredIds, emptyRecord } from './record.ts';

const declaration = (id: string) => ({ id, title: id, clauses: [], level: 'documented' as const });

function halfDone() {
  const record = emptyRecord();
  record.declaredContract.push(declaration('a'), declaration('b'));
  record.checkFacts.push({
    ...declaration('a'),
    outcome: { kind: 'ran', expectations: [{ what: 'w', expected: 'e', observed: 'o', holds: true }] },
    exchanges: [],
    durationMs: 1,
  });
  record.declaredLoad.push(...loadChecks.slice(0, 3));
  return record;
}

test('a run that ended is left unchanged', () => {
  const record = halfDone();
  expect(closed(record, null)).toEqual({ checks: record.checkFacts, load: [] });
});

test('after an interruption every declared check has an entry, and what was seen stands', () => {
  const record = halfDone();
  const facts = closed(record, { kind: 'interrupted', why: 'stopped' });
  const { checks } = judge({
    checkFacts: facts.checks,
    loadFacts: facts.load,
    declaredLoad: record.declaredLoad,
    endpoints: [],
  });
  expect(checks.map((check) => check.id)).toEqual(declaredIds(record));
  expect(checks.map((check) => check.verdict)).toEqual(['pass', 'skipped', 'skipped', 'skipped', 'skipped']);
  expect(checks[1]?.reason).toContain('skipped by interrupt');
});

test('a request that met no target breaks no promise, and what was seen before stands', () => {
  const record = emptyRecord();
  const ids = ['held', 'broken', 'unanswered', 'never'];
  record.declaredContract.push(...ids.map(declaration));
  const ran = (id: string, holds: boolean, error?: string) => ({
    ...declaration(id),
    outcome: { kind: 'ran' as const, expectations: [{ what: 'w', expected: 'e', observed: 'o', holds }] },
    exchanges: [
      { method: 'GET', url: '/', requestHeaders: {}, durationMs: 1, ...(error ? { error } : { status: 200 }) },
    ],
    durationMs: 1,
  });
  record.checkFacts.push(ran('held', true), ran('broken', false), ran('unanswered', false, 'connect ECONNREFUSED x:1'));
  const { checks } = closed(record, { kind: 'gone', why: 'the target has been gone' });
  expect(checks.map(({ outcome }) => outcome.kind)).toEqual(['ran', 'ran', 'inconclusive', 'skipped']);
  expect(checks[3]?.outcome).toEqual({ kind: 'skipped', by: 'proofload', why: 'the target has been gone' });
});

test('when the harness broke the missing ones are errors', () => {
  const facts = closed(halfDone(), { kind: 'broken', why: 'harness error: boom' });
  expect(facts.checks[1]?.outcome).toEqual({ kind: 'error', message: 'harness error: boom' });
});

test('a later check stands in its place, and its traffic is added', () => {
  const record = emptyRecord();
  record.declaredContract.push(declaration('early'), declaration('late'), declaration('last'));
  const outcome = { kind: 'not-observable' as const, needs: 'nothing' };
  const facts = (id: string) => ({ ...declaration(id), outcome, exchanges: [], durationMs: 1 });
  record.checkFacts.push(facts('early'), facts('last'));
  record.contract = { announced: { requests: 10, bytes: 100 }, sent: { requests: 5, bytes: 50 } };
  const later = { facts: [facts('late')], announced: { requests: 4, bytes: 40 }, sent: { requests: 3, bytes: 30 } };
  addLater(record, later);
  expect(record.checkFacts.map(({ id }) => id)).toEqual(['early', 'late', 'last']);
  expect(record.contract).toEqual({ announced: { requests: 14, bytes: 140 }, sent: { requests: 8, bytes: 80 } });
  record.contract = undefined;
  addLater(record, { ...later, facts: [] });
  expect(record.contract).toEqual({ announced: later.announced, sent: later.sent });
});
