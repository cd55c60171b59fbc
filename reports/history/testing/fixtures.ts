/** For tests only: nights of a service, one history line each. */
import type { HistoryLine } from '../../../schemas/history.ts';
import type { Results } from '../../../schemas/results.ts';
import { type SampleKind, sampleResults } from '../../testing/fixtures.ts';
import { historyReport } from '../index.ts';
import { historyLine } from '../line.ts';

const FIRST_NIGHT = Date.UTC(2026, 8, 1, 3);
const DAY_MS = 86_400_000;

/** The results of the n-th night, on a remote target. */
export function night(index: number, kind: SampleKind = 'passing', changes: Partial<Results> = {}): Results {
  const sample = sampleResults(kind);
  const startedAt = new Date(FIRST_NIGHT + index * DAY_MS).toISOString();
  const run = {
    ...sample.run,
    id: `night-${index}`,
    startedAt,
    finishedAt: startedAt,
    asked: { contract: true, load: true, only: [], goals: {} },
  };
  return { ...sample, target: { ...sample.target, kind: 'remote' }, run, ...changes };
}

export const nightLine = (...night_: Parameters<typeof night>): HistoryLine => historyLine(night(...night_));

/** The same night with one operation's latency. */
export function withLatency(results: Results, operation: string, p95: number): Results {
  const latency = { p50: p95 / 2, p90: p95 * 0.9, p95, p99: p95 * 1.5, max: p95 * 3 };
  return { ...results, latency: [{ operation, statusClass: '2xx', requests: 100, latency }] };
}

const SLOWER_FROM = 12;

/** A night after twenty-four others: a limit that moved, an operation that became slower, checks that came and went. */
export function laterNight(): Results {
  const kinds: readonly SampleKind[] = ['passing', 'passing', 'inconclusive', 'passing', 'failing', 'passing'];
  const made = Array.from({ length: 24 }, (_, index) => {
    const results = night(index, kinds[index % kinds.length]);
    const limits = results.limits.map((limit) =>
      limit.id === 'runsync.rate' && index > 15 ? { ...limit, measured: { lower: 1800, upper: 1850 } } : limit,
    );
    const slow = (index < SLOWER_FROM ? 8 : 14) + ((index * 7) % 5) / 5;
    return withLatency({ ...results, limits }, 'run', slow);
  });
  const lines = [...made.map(historyLine), nightLine(30, 'interrupted')];
  const now = night(40, 'failing');
  return { ...now, history: historyReport(now, 'proofload-report/history.ndjson', { lines, unreadable: 1 }) };
}
