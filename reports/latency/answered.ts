/** Latency as runs are compared by it: of what was answered well. */
import type { HistoryLatency } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';

/** A row for each operation with answers of 2xx. */
export function answeredLatency({ latency = [] }: Pick<Results, 'latency'>): HistoryLatency[] {
  return latency
    .filter(({ statusClass }) => statusClass === '2xx')
    .map(({ operation, requests, latency: percentiles }) => ({ operation, requests, latency: percentiles }));
}

/** A row for each operation whose streams brought a token. */
export function firstTokens({ streams = [] }: Pick<Results, 'streams'>): HistoryLatency[] {
  return streams.flatMap(({ operation, answered, firstToken }) =>
    firstToken ? [{ operation, requests: answered, latency: firstToken }] : [],
  );
}
