import { expect, test } from 'vitest';
import type { ResultCheck } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { check, exchange } from '../testing/fixtures.ts';
import { evidenceView } from './evidence.ts';

const having = (evidence: ResultCheck['evidence'], verdict: Verdict = 'inconclusive', shown = evidence?.exchanges) => {
  const declared = { id: 'run.a', title: 'a', clauses: [], level: 'documented' } as const;
  const view = evidenceView(check(declared, { verdict, ...(evidence ? { evidence } : {}) }), shown ?? []);
  return view ? view.text : '';
};

test('a check without evidence shows none', () => {
  expect(having(undefined)).toBe('');
  expect(having({})).toBe('');
  expect(having({ expectations: [], exchanges: [] })).toBe('');
});

test('the summary counts what is folded', () => {
  const expectation = { what: 'status', expected: '200', observed: '500', holds: false };
  expect(having({ expectations: [expectation], exchanges: [exchange(), exchange()] })).toContain(
    '<summary>Evidence: 1 expectation, 2 requests</summary>',
  );
  expect(having({ exchanges: [exchange()] })).toContain('<summary>Evidence: 1 request</summary>');
});

test('each expectation says in words whether it holds', () => {
  const expectation = { what: 'status', expected: '200', observed: '500', holds: false };
  const text = having({ expectations: [expectation, { ...expectation, observed: '200', holds: true }] });
  expect(text).toContain('<th scope="row">status</th>\n<td>200</td><td>500</td><td>broken</td>');
  expect(text).toContain('<td>200</td><td>200</td><td>holds</td>');
});

test('what broke stands first, with its place in the contract; of very many the first are shown', () => {
  const expectation = { what: 'status', expected: '200', observed: '200', holds: true };
  const broken = { ...expectation, holds: false, schemaPath: 'chat/convention#/properties/usage' };
  const text = having({ expectations: [...Array.from({ length: 30 }, () => expectation), broken] });
  expect(text.indexOf('broken</td>')).toBeLessThan(text.indexOf('holds</td>'));
  expect(text).toContain('contract: <code>chat/convention#/properties/usage</code>');
  expect(text).toContain('11 more expectations in results.json');
});

test('a request is shown as curl without its key, the answer as it came', () => {
  const text = having({
    exchanges: [exchange({ status: 429, responseHeaders: { 'retry-after': '3' }, responseBody: '{"e":1}' })],
  });
  expect(text).toContain('→ 429,');
  expect(text).toContain(`authorization: Bearer \${PROOFLOAD_JOB_KEY:-$PROOFLOAD_ACCESS_KEY}`);
  expect(text).toContain('<pre tabindex="0">429\nretry-after: 3\n\n{&quot;e&quot;:1}</pre>');
});

test('long bodies and addresses are cut', () => {
  const text = having({
    exchanges: [exchange({ url: `http://x/${'u'.repeat(500)}`, responseBody: 'b'.repeat(9000) })],
  });
  expect(text).toContain('(7500 more characters)');
  expect(text).toMatch(/<summary><code>POST http:\/\/x\/u+… \(349 more characters\)<\/code>/);
});

test('an answer without headers or body is its status', () => {
  const { responseHeaders: _, responseBody: __, ...bare } = exchange({ status: 204 });
  expect(having({ exchanges: [bare] })).toContain('<pre tabindex="0">204</pre>');
});
