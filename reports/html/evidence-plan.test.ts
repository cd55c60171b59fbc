import { expect, test } from 'vitest';
import type { Exchange } from '../../schemas/facts.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { check, exchange } from '../testing/fixtures.ts';
import { evidencePlan } from './evidence.ts';

const one = (id: string, verdict: Verdict, exchanges: readonly Exchange[], observed = 'o'): ResultCheck => {
  const expectations = [
    { what: 'POST /api/v1/sl/inst-1/run answers', expected: 'e', observed, holds: verdict === 'pass' },
  ];
  const declared = { id, title: id, clauses: [], level: 'documented' } as const;
  return check(declared, { verdict, evidence: { expectations, exchanges } });
};
const large = exchange({ responseBody: 'x'.repeat(50_000) });

test('a check that did not hold comes with several exchanges, one that held with none', () => {
  const ten = Array.from({ length: 10 }, () => exchange());
  const plan = evidencePlan([one('run.a', 'pass', ten), one('run.b', 'fail', ten), one('run.c', 'inconclusive', ten)]);
  expect([...plan].map(([id, list]) => [id, list.length])).toEqual([
    ['run.b', 6],
    ['run.c', 6],
  ]);
});

test('thousands of checks take no more room than hundreds, and the exchange that shows a break comes before others', () => {
  const many = (verdict: Verdict, count: number) =>
    Array.from({ length: count }, (_, index) => one(`run.${verdict}${index}`, verdict, [large, large, large]));
  const plan = evidencePlan([...many('inconclusive', 2000), ...many('fail', 20)]);
  expect([...plan.values()].flat().length).toBeLessThan(200);
  expect([...plan.keys()].filter((id) => id.startsWith('run.fail'))).toHaveLength(20);
});

test('what shows the break comes first', () => {
  const decisive = exchange({ status: 500 });
  expect(evidencePlan([one('run.a', 'fail', [exchange(), decisive, exchange()], '500')]).get('run.a')?.[0]).toBe(
    decisive,
  );
});
