import { expect, test } from 'vitest';
import { clauses } from '../../schemas/clauses/index.ts';
import { limits } from '../../schemas/limits.ts';
import { type SampleKind, sampleResults } from '../testing/fixtures.ts';
import { renderPage } from './page.ts';

const page = (kind: SampleKind): string => renderPage(sampleResults(kind), clauses);
const text = (markup: string): string =>
  markup
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

test.each([
  ['passing', 'Conforms'],
  ['failing', 'Does not conform'],
  ['inconclusive', 'Not conclusive'],
  ['interrupted', 'Interrupted'],
] as const)('%s results: the first words are %s', (kind, head) => {
  const [first] = /<h1[^>]*>([^<]*)/.exec(page(kind))?.slice(1) ?? [];
  expect(first).toBe(head);
});

test('what broke stands on the first screen with its clause, expected and observed', () => {
  const [first] = page('failing').split('<section id="limits"');
  const words = text(first ?? '');
  expect(words).toContain('Failures');
  expect(words).toContain('at most 1,000 requests admitted within any 10 s');
  expect(words).toContain('2,100 requests admitted within 10 s, none refused');
  expect(words).toContain('section 8.2, run.rate');
});

test('every limit has a row, and every limit the run left out is named', () => {
  const markup = page('failing');
  const rows = limits.filter((limit) => markup.includes(`<tr id="limit-${limit.id}"`));
  expect(rows.length).toBe(sampleResults('failing').limits.length);
  expect(text(markup)).toContain('Not part of this run: run.retention, runsync.retention.');
});

test('a limit that was skipped is not shown green', () => {
  const row = /<tr id="limit-inference\.concurrency"[\s\S]*?<\/tr>/.exec(page('failing'))?.[0] ?? '';
  expect(row).toContain('v-skipped');
  expect(row).not.toContain('v-pass');
  expect(row).toContain('interface A is not configured');
});

test('every check has its anchor, once', () => {
  const markup = page('failing');
  for (const check of sampleResults('failing').checks) {
    expect(markup.split(`id="check-${check.id}"`)).toHaveLength(2);
  }
});

test('every link leads somewhere on the page, and nothing is loaded from elsewhere', () => {
  for (const kind of ['passing', 'failing', 'hostile'] as const) {
    const markup = page(kind);
    const ids = new Set([...markup.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]));
    const links = [...markup.matchAll(/ href="([^"]*)"/g)].map((match) => match[1] ?? '');
    for (const link of links) {
      if (link !== 'data:,') expect(ids).toContain(decodeURIComponent(link.replace(/^(\?verdict=[^#]+)?#/, '')));
    }
    // No text can hold `<` or `>`, so what looks like a tag is one; its quoted values are left out.
    const tags = [...markup.matchAll(/<[a-z][^>]*>/g)].map((match) => match[0].replace(/"[^"]*"/g, '""')).join('\n');
    expect(tags).not.toMatch(/^<(?:img|iframe|object|embed|audio|video|base)\b| (?:src|style|on[a-z]+)=/im);
    expect(tags.match(/^<script/gm)).toHaveLength(1);
    expect(/<style>([\s\S]*?)<\/style>/.exec(markup)?.[1]).not.toMatch(/@import|url\(/);
  }
});

test('the policy names the script and the style by hash and allows nothing else', () => {
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page('passing'))?.[1] ?? '';
  expect(policy).toMatch(/^default-src &#39;none&#39;; style-src &#39;sha256-[\w+/]+=*&#39;; script-src &#39;sha256-/);
  expect(policy).not.toContain('unsafe');
});

test('what was not decided says what would change that', () => {
  const words = text(page('inconclusive').split('<section id="open"')[1] ?? '');
  expect(words).toContain('give the endpoint more workers or a quicker workload');
  expect(words).toContain('needs --dedicated');
});

test('a clause whose text is unknown is still named', () => {
  expect(text(renderPage(sampleResults('failing'), []))).toContain('run.rate');
});

test('coverage names what each clause that cannot be seen would need', () => {
  const unseen = clauses.find((clause) => clause.observable !== true);
  expect(unseen).toBeDefined();
  expect(page('passing')).toContain('not observable: needs ');
});

test('many requests of one check are cut in the page, not in results.json', () => {
  const results = sampleResults('passing');
  const [first, ...others] = results.checks;
  const exchanges = Array.from({ length: 20 }, () => first?.evidence?.exchanges ?? []).flat();
  const long = { ...results, checks: [{ ...first, verdict: 'inconclusive', evidence: { exchanges } }, ...others] };
  expect(text(renderPage(long as typeof results, clauses))).toContain('19 more in results.json.');
});
