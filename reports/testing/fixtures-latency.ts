/** For tests only: the latency of a run as a load brings it, with what is seldom there too. */
import type { ResultAchieved, ResultLatency, ResultStreams } from '../../schemas/latency.ts';
import { sorted } from '../latency/percentiles.ts';
import { distributionOf } from '../latency/rows.ts';

/** A hump about the usual time, and a smaller one far behind it. */
function humps(count: number, ms: number, stalledMs: number) {
  const spread = (index: number) => Math.exp(((index * 7) % 23) / 23 - 0.5);
  return distributionOf(
    sorted(Array.from({ length: count }, (_, index) => (index % 50 === 0 ? stalledMs : ms) * spread(index))),
  );
}

export const sampleLatency: readonly ResultLatency[] = [
  {
    operation: 'run',
    statusClass: '2xx',
    requests: 1978,
    distribution: humps(1978, 1.42, 800),
    latency: { p50: 1.42, p90: 2.87, p95: 4.1, p99: 812.4, max: 1004.7 },
    uncorrected: { p50: 1.3, p90: 2.1, p95: 2.4, p99: 6.3, max: 1001.2 },
    firstByte: { p50: 1.1, p90: 1.8, p95: 2.2, p99: 6, max: 1001 },
  },
  {
    operation: 'run',
    statusClass: '429',
    requests: 40,
    latency: { p50: 0.62, p90: 0.9, p95: 1.1, max: 1.3 },
    firstByte: { p50: 0.5, p90: 0.8, p95: 1, max: 1.2 },
    note: 'p99 needs 100 values; there are 40',
  },
  {
    operation: 'status',
    statusClass: 'none',
    requests: 1,
    latency: { max: 30_000 },
    note: 'p50 needs 2, p90 needs 10, p95 needs 20, p99 needs 100 values; there is 1',
  },
];

export const sampleAchieved: readonly ResultAchieved[] = [
  {
    probe: 'run.rate',
    phase: 'pace',
    operations: ['run'],
    planned: 1981,
    sent: 1978,
    plannedRate: 99,
    achievedRate: 98.9,
    lateness: { p50: 0.08, p90: 0.3, p95: 0.6, p99: 2.1, max: 18 },
  },
  {
    probe: 'status.rate',
    phase: 'pace',
    operations: ['status', 'status-sync', 'stream'],
    planned: 3960,
    sent: 0,
    plannedRate: 198,
    achievedRate: 0,
  },
];

export const sampleStreams: readonly ResultStreams[] = [
  {
    operation: 'chat',
    streams: 5,
    answered: 5,
    tokens: 155,
    firstToken: { p50: 48.2, max: 61 },
    betweenTokens: { p50: 10.1, p90: 11, p95: 12.5, p99: 18, max: 30 },
    inOnePiece: 2,
    note: 'time to the first token: p90 needs 10, p95 needs 20, p99 needs 100 values; there are 5',
  },
  { operation: 'stream', streams: 5, answered: 0, tokens: 0, inOnePiece: 0 },
];
