/** Latency as people read it: milliseconds with as many digits as mean something. */
import type { HistoryLatency } from '../../schemas/history.ts';
import { type PercentileName, type Percentiles, percentileNames, type StatusClass } from '../../schemas/latency.ts';
import type { Results } from '../../schemas/results.ts';
import { number } from '../../schemas/thousands.ts';

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

/** `0.42`, `7.3`, `128`, without a unit: it stands in the head of the column. */
export function amount(ms: number): string {
  if (ms < 10) return ms.toFixed(ms < 1 ? 2 : 1);
  return number(ms);
}

export const withMs = (ms: number): string => `${amount(ms)} ms`;

/** A percentile, or a dash where so few values can't carry it. */
export const cell = (percentiles: Percentiles | undefined, name: PercentileName): string => {
  const ms = percentiles?.[name];
  return ms === undefined ? '–' : amount(ms);
};

export const classWords: Readonly<Record<StatusClass, string>> = {
  '2xx': 'answered 2xx',
  '3xx': 'answered 3xx',
  '4xx': 'answered 4xx',
  '429': 'refused with 429',
  '5xx': 'server errors, 5xx',
  none: 'no answer',
};

/** The farthest percentile that is there: `p99 12 ms`. */
export function farthest(percentiles: Percentiles): string {
  const name = percentileNames.findLast((one) => one !== 'max' && percentiles[one] !== undefined) ?? 'max';
  return `${name} ${withMs(percentiles[name] ?? percentiles.max)}`;
}

/** At most two lines for a terminal: what was answered well, and streams. */
export function latencyLines({ latency = [], streams = [] }: Pick<Results, 'latency' | 'streams'>): string[] {
  const each = answeredLatency({ latency }).map((one) => `${one.operation} ${farthest(one.latency)}`);
  const reported = streams.flatMap(({ operation, firstToken, betweenTokens }) =>
    firstToken ? [`${operation} ${streamWords(firstToken, betweenTokens)}`] : [],
  );
  return [
    ...(each.length > 0 ? [`Latency from the scheduled send time: ${each.join(', ')}`] : []),
    ...(reported.length > 0 ? [`First token: ${reported.join('; ')}`] : []),
  ];
}

function streamWords(first: Percentiles, between: Percentiles | undefined): string {
  const after = withMs(first.p50 ?? first.max);
  return between ? `${after}, then every ${withMs(between.p50 ?? between.max)}` : after;
}
