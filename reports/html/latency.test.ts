import { expect, test } from 'vitest';
import { sampleResults } from '../testing/fixtures.ts';
import { sampleAchieved, sampleLatency, sampleStreams } from '../testing/fixtures-latency.ts';
import { latencySection } from './latency.ts';
import { renderPage } from './page.ts';
import type { PageInput } from './parts.ts';

const input = (changes: Partial<PageInput['results']>): PageInput => ({
  results: { ...sampleResults('passing'), ...changes },
  clauses: new Map(),
  checkIds: new Set(),
  evidence: new Map(),
});
const textOf = (changes: Partial<PageInput['results']>): string => {
  const section = latencySection(input(changes));
  return section ? section.text : '';
};

test('a run without a paced load has no such section, and no link to it', () => {
  expect(latencySection(input({}))).toBe(false);
  const { results } = input({});
  expect(renderPage(results, [])).not.toContain('href="#latency"');
  expect(renderPage({ ...results, latency: sampleLatency }, [])).toContain('<a href="#latency">Latency</a>');
});

test('every percentile that is known, the uncorrected below, and a dash where few values cannot carry one', () => {
  const text = textOf({ latency: sampleLatency });
  for (const words of ['answered 2xx', 'refused with 429', 'no answer', '1,978', '812', '6.3', '30,000', '–']) {
    expect(text).toContain(words);
  }
  expect(text).toContain('aria-label="p50 1.4 ms, p90 2.9 ms, p95 4.1 ms, p99 812 ms, max 1,005 ms"');
  expect(text).toContain('aria-label="max 30,000 ms"');
});

test('load as planned and as sent, and how late it was begun', () => {
  const text = textOf({ achieved: sampleAchieved });
  for (const words of ['run.rate', '(3 not sent)', '98.9', '0.08 / 2.1 / 18', '(3,960 not sent)']) {
    expect(text).toContain(words);
  }
});

test('streams, those that came in one piece, and those without a token', () => {
  const text = textOf({ streams: sampleStreams });
  for (const words of ['2 came in one piece', '5 of 5', '0 of 5', '48', '155']) expect(text).toContain(words);
});
