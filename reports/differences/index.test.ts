import { expect, test } from 'vitest';
import type { CheckFacts } from '../../schemas/facts.ts';
import { loadChecks } from '../../schemas/load-checks.ts';
import { check } from '../testing/fixtures.ts';
import { judgeChecks } from '../verdicts/check.ts';
import type { Observed } from './check.ts';
import { type ComparisonInput, compareWithReference } from './index.ts';
import { observed, sent } from './testing/runs.ts';

const beside = (ours: Observed, changes: Partial<ComparisonInput>) =>
  compareWithReference({ ...ours, checks: judgeChecks(ours.facts), limits: [], view: { kind: 'itself' }, ...changes });
const [target, reference] = [observed([sent({ a: 1 })]), observed([sent({ b: 1 })])];

test('each check has what the reference answered, and what is different', () => {
  const { checks, reference: report } = beside(target, { view: { kind: 'asked', ...reference } });
  expect(checks[0]?.reference).toEqual({
    verdict: 'pass',
    observed: 'w: o',
    differences: ["POST run: has `a`, which the reference doesn't", 'POST run: has no `b`'],
  });
  expect(report).toMatchObject({ contract: 'asked', more: 0 });
  expect(report.differences.map(({ kind, checks: ids }) => [kind, ids])).toEqual([
    ['different', ['run.a']],
    ['different', ['run.a']],
  ]);
});

test('where both pass and nothing differs, the reference is not quoted', () => {
  const { checks, reference: report } = beside(target, {});
  expect(checks[0]?.reference).toBeUndefined();
  expect(report).toEqual({ contract: 'itself', differences: [], more: 0 });
});

test('where it did not run it is not quoted, and the report says why', () => {
  const { checks, reference: report } = beside(target, { view: { kind: 'missing', why: 'it broke' } });
  expect(checks[0]?.reference).toBeUndefined();
  expect(report).toMatchObject({ contract: 'missing', why: 'it broke' });
});

test('a break that no answer explains is a difference too', () => {
  const broken = target.facts.map((one): CheckFacts => {
    const expectations = [{ what: 'w', expected: 'e', observed: 'o', holds: false }];
    return { ...one, outcome: { kind: 'ran', expectations } };
  });
  const { reference: report } = beside({ ...target, facts: broken }, { view: { kind: 'asked', ...target } });
  expect(report.differences).toEqual([
    {
      operation: 'run',
      request: '',
      text: 'does not keep what the reference keeps: run.a',
      kind: 'spec',
      checks: ['run.a'],
    },
  ]);
});

test('what the check speaks of is said first, and a long list is cut', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 1]));
  const facts = observed([sent(many)]).facts.map((one): CheckFacts => {
    const expectations = [{ what: 'the body', expected: 'no f7', observed: 'f7', holds: false }];
    return { ...one, outcome: { kind: 'ran', expectations } };
  });
  const { checks } = beside({ ...target, facts }, { view: { kind: 'asked', ...observed([sent({})]) } });
  const list = checks[0]?.reference?.differences ?? [];
  expect(list[0]).toContain('`f7`');
  expect(list).toHaveLength(13);
  expect(list.at(-1)).toBe('and 18 more');
});

test('under load the recorded answer is shown, and marked as recorded', () => {
  const [load] = loadChecks;
  if (!load) throw new Error('there are load checks');
  const { checks, reference: report } = beside(target, { checks: [check(load, { verdict: 'fail' })] });
  expect(checks[0]?.reference).toMatchObject({ verdict: 'pass', recorded: true });
  expect(report.differences).toMatchObject([{ kind: 'spec', checks: [load.id] }]);
});

test('a comparison that breaks takes no verdict with it', () => {
  const facts = new Proxy(target.facts, {
    get: () => {
      throw new Error('unreadable');
    },
  });
  const checks = judgeChecks(target.facts);
  const found = beside(target, { checks, facts, view: { kind: 'asked', ...reference } });
  expect(found.checks).toBe(checks);
  expect(found.reference).toMatchObject({ contract: 'missing', why: 'comparing broke: unreadable' });
});
