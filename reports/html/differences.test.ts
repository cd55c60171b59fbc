import { expect, test } from 'vitest';
import type { ReferenceReport, ResultDifference } from '../../schemas/results.ts';
import { hostileTexts, sampleResults } from '../testing/fixtures.ts';
import { differencesSection } from './differences.ts';

const difference = (changes: Partial<ResultDifference> = {}): ResultDifference => ({
  operation: 'run',
  request: 'POST run',
  text: 'has no `id`',
  kind: 'different',
  checks: ['run.contract.c0'],
  ...changes,
});

function section(reference: Partial<ReferenceReport>): string {
  const full: ReferenceReport = { contract: 'asked', differences: [], more: 0, ...reference };
  const results = { ...sampleResults('passing'), reference: full };
  const checkIds = new Set(results.checks.map(({ id }) => id));
  const view = differencesSection({ results, clauses: new Map(), checkIds, evidence: new Map() });
  return view ? view.text : '';
}

test('a difference stands under its operation, in words, with links to its checks', () => {
  const text = section({
    differences: [difference(), difference({ operation: null, request: 'GET /x', kind: 'spec' })],
  });
  expect(text).toMatch(/<h3>run\s+<span class="muted small">1 difference<\/span>/);
  expect(text).toMatch(/<h3>no operation/);
  expect(text).toContain('<code>POST run</code> has no <code>id</code>');
  expect(text).toContain('<a href="#check-run.contract.c0">run.contract.c0</a>');
});

test('the words distinguish failed checks, warnings and mere differences', () => {
  const kinds = ['spec', 'convention', 'different'] as const;
  const text = section({ differences: kinds.map((kind) => difference({ kind })) });
  for (const words of ['with a failed check', 'with a warning', 'different only']) {
    expect(text).toContain(`<span>${words}</span>`);
  }
});

test('of many checks the first are linked, and what is not listed is counted', () => {
  const text = section({ differences: [difference({ checks: ['a', 'b', 'c', 'd', 'e'] })], more: 7 });
  expect(text).toContain('a, b, c and 2 more checks');
  expect(text).toContain('7 more differences are not listed');
});

test.each([
  [{}, 'No difference was seen.'],
  [{ contract: 'itself' }, 'The target of this run is the reference itself.'],
  [{ contract: 'missing', why: 'it broke' }, 'The reference was not tested (it broke).'],
] as const)('%j says so', (reference, words) => {
  expect(section(reference)).toContain(words);
});

test('a run from before there was a comparison has no such section', () => {
  const { reference: _, ...results } = sampleResults('passing');
  const input = {
    results,
    clauses: new Map(),
    checkIds: new Set<string>(),
    evidence: new Map(),
  };
  expect(differencesSection(input)).toBe(false);
});

test.each(hostileTexts)('a text of a target stays a text: %j', (text) => {
  const markup = section({ differences: [difference({ text, request: text, checks: [text] })], why: text });
  const tags = [...markup.matchAll(/<\/?([a-z0-9]+)/g)].map((match) => match[1]);
  const ours = ['section', 'h2', 'h3', 'p', 'b', 'ul', 'li', 'span', 'code', 'br', 'a'];
  expect(tags.filter((tag) => tag !== undefined && !ours.includes(tag))).toEqual([]);
});
