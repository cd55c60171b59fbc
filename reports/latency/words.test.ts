import { expect, test } from 'vitest';
import { stored } from '../stored.ts';
import { renderSummary } from '../summary.ts';
import { finalBlock } from '../terminal.ts';
import { sampleResults } from '../testing/fixtures.ts';
import { sampleAchieved, sampleLatency, sampleStreams } from '../testing/fixtures-latency.ts';
import { schemaBreaks } from '../validate.ts';
import { amount, latencyLines } from './words.ts';

test.each([
  [0.123, '0.12'],
  [7.25, '7.3'],
  [99.6, '100'],
  [12345.6, '12,346'],
])('%f ms is %s', (ms, text) => {
  expect(amount(ms)).toBe(text);
});

const results = {
  ...sampleResults('passing'),
  latency: sampleLatency,
  achieved: sampleAchieved,
  streams: sampleStreams,
};

test('the terminal gets two lines at most, and none without a load', () => {
  expect(latencyLines(results)).toEqual([
    'Latency from the scheduled send time: run p99 812 ms',
    'First token: chat 48 ms, then every 10 ms',
  ]);
  expect(finalBlock(results, { html: 'x' })).toEqual(expect.arrayContaining(latencyLines(results)));
  expect(latencyLines({})).toEqual([]);
});

test('the summary has a short table', () => {
  const text = renderSummary(results);
  expect(text).toContain('### Latency');
  expect(text).toMatch(/\| run \| answered 2xx \| 1,978 \| 1\.4 \| 4\.1 \| 812 \| 1,005 \|/);
  expect(renderSummary(sampleResults('passing'))).not.toContain('### Latency');
});

test('it keeps the schema of results.json', () => {
  expect(schemaBreaks(stored(results))).toEqual([]);
  expect(schemaBreaks({ ...stored(results), latency: [{ operation: 'run' }] })).not.toEqual([]);
});
