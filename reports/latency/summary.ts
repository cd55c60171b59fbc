/** The latency of a run for its Markdown summary: one line for each operation, what was answered well. */
import type { Results } from '../../schemas/results.ts';
import { mdTable, mdText } from '../markdown.ts';
import { number } from '../words.ts';
import { cell, classWords, latencyLines } from './words.ts';

export function latencySummary(results: Results): string[] {
  const { latency = [] } = results;
  const rows = latency.map((one) => [
    mdText(one.operation),
    classWords[one.statusClass],
    number(one.requests),
    ...(['p50', 'p95', 'p99', 'max'] as const).map((name) => cell(one.latency, name)),
  ]);
  const streams = latencyLines({ streams: results.streams ?? [] }).map(mdText);
  if (rows.length === 0 && streams.length === 0) return [];
  const head = ['Operation', 'Answers', 'Requests', 'p50, ms', 'p95', 'p99', 'max'];
  return ['### Latency', ...(rows.length > 0 ? [mdTable(head, rows)] : []), ...streams];
}
