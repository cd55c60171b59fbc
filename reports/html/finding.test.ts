import { expect, test } from 'vitest';
import type { ResultCheck } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { check, exchange } from '../testing/fixtures.ts';
import { findingView } from './finding.ts';

const one = (verdict: Verdict, changes: Partial<ResultCheck> = {}): ResultCheck =>
  check({ id: 'run.a', title: 'a', clauses: ['run.rate'], level: 'documented' }, { verdict, ...changes });

test('a break shows the request to repeat, the answer, and its place in the contract', () => {
  const expectations = [
    { what: 'w', expected: 'e', observed: 'o', holds: false, schemaPath: 'run/convention#/required' },
    { what: 'w', expected: 'e', observed: 'o', holds: true, schemaPath: 'elsewhere' },
  ];
  const { text } = findingView(one('fail', { evidence: { expectations } }), exchange({ status: 500 }));
  expect(text).toContain('curl -i -X POST');
  expect(text).not.toContain('Bearer ***');
  expect(text).toContain('<pre tabindex="0">500\ncontent-type: application/json');
  expect(text).toContain('Broken in the contract at <code>run/convention#/required</code></p>');
});

test.each(['fail', 'warn', 'known'] as const)(
  '%s: the reference stands next to it, with the differences',
  (verdict) => {
    const reference = { verdict: 'pass', observed: 'the right thing', differences: ['POST run: has no `id`'] } as const;
    const { text } = findingView(one(verdict, { reference }), undefined);
    expect(text).toMatch(/The reference: .*pass.* the right thing/);
    expect(text).toContain('<li>POST run: has no <code>id</code></li>');
  },
);

test('of a check that holds only differences are shown, and a few of them', () => {
  const reference = { verdict: 'pass', observed: 'the same' } as const;
  expect(findingView(one('pass', { reference }), exchange()).text).toBe('');
  const differences = Array.from({ length: 9 }, (_, index) => `d${index}`);
  const { text } = findingView(one('pass', { reference: { ...reference, differences } }), exchange());
  expect(text).not.toContain('curl');
  expect(text).toContain('<a href="#differences">and 7 more</a>');
});

test('an answer of the reference from an earlier run says so', () => {
  const reference = { verdict: 'pass', observed: 'refused the 1,001st', recorded: true } as const;
  expect(findingView(one('fail', { reference }), undefined).text).toContain('The reference in an earlier run');
});

test('what was left behind is said and weighs nothing', () => {
  const { text } = findingView(one('pass', { leftBehind: ['job <1> is still running'] }), undefined);
  expect(text).toContain('<b>Left on the target:</b> job &lt;1&gt; is still running');
});
