import { expect, test } from 'vitest';
import type { ResultCheck } from '../../schemas/results.ts';
import { check, exchange } from '../fixtures.ts';
import { evidenceView } from './evidence.ts';

const having = (evidence: ResultCheck['evidence']): string => {
  const view = evidenceView(
    check({ id: 'run.a', title: 'a', clauses: [], level: 'documented' }, evidence ? { evidence } : {}),
  );
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
  expect(text).toContain('<th scope="row">status</th><td>200</td><td>500</td>\n<td>broken</td>');
  expect(text).toContain('<td>200</td><td>200</td>\n<td>holds</td>');
});

test('a request is shown as curl without its key, the answer as it came', () => {
  const text = having({
    exchanges: [exchange({ status: 429, responseHeaders: { 'retry-after': '3' }, responseBody: '{"e":1}' })],
  });
  expect(text).toContain('→ 429,');
  expect(text).toContain('authorization: Bearer $PROOFLOAD_ACCESS_KEY');
  expect(text).toContain('<pre>429\nretry-after: 3\n\n{&quot;e&quot;:1}</pre>');
});

test('long bodies and addresses are cut', () => {
  const text = having({
    exchanges: [exchange({ url: `http://x/${'u'.repeat(500)}`, responseBody: 'b'.repeat(9000) })],
  });
  expect(text).toContain('(5000 more characters)');
  expect(text).toMatch(/<summary><code>POST http:\/\/x\/u+… \(349 more characters\)<\/code>/);
});

test('an answer without headers or body is its status', () => {
  const { responseHeaders: _, responseBody: __, ...bare } = exchange({ status: 204 });
  expect(having({ exchanges: [bare] })).toContain('<pre>204</pre>');
});
