/** What the paced phases of a ledger say of latency: from ledgers made by hand, and from a target that stands still. */
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../schemas/ledger.ts';
import type { UnlimitedParameters } from '../probe.ts';
import { rateParameters } from '../testing/rate-simulation.ts';
import { pacedPhases, schedulesOf } from './latency.ts';

const health: UnlimitedParameters = {
  kind: 'unlimited',
  instId: 'inst-a',
  operation: 'health',
  vus: 2,
  periodMs: 10,
  durationMs: 100,
  windowMs: 1000,
};

function entry(changes: Partial<LedgerEntry>): LedgerEntry {
  const times = { sentMs: 0, firstByteMs: 0, endMs: 0 };
  return { phase: 'pace', operation: 'health', ...times, status: 200, error: '', note: '', ...changes };
}

/** Due, begun, sent, first byte, end. */
const at = (dueMs: number, begunMs: number, sentMs: number, firstByteMs: number, endMs: number, status = 200) =>
  entry({ dueMs, begunMs, sentMs, firstByteMs, endMs, status });

test('each request counts from its moment, from its sending, and for how late it was', () => {
  const entries = [at(100, 100.5, 101, 103, 104), at(110, 130, 130, 131, 135), at(120, 121, 121, 122, 122, 503)];
  const [phase] = pacedPhases(entries, schedulesOf(health));
  expect(phase).toMatchObject({ phase: 'pace', periodMs: 10, planned: { health: 10 }, tookMs: 30 });
  expect(phase?.requests).toEqual([
    {
      operation: 'health',
      statusClass: '2xx',
      dueToEndMs: [4, 25],
      sentToEndMs: [3, 5],
      sentToFirstByteMs: [2, 1],
      lateMs: [0.5, 20],
      ownLateMs: [0.5, 20],
    },
    {
      operation: 'health',
      statusClass: '5xx',
      dueToEndMs: [2],
      sentToEndMs: [1],
      sentToFirstByteMs: [1],
      lateMs: [1],
      ownLateMs: [1],
    },
  ]);
});

test('bursts and what had no moment are left out', () => {
  const entries = [entry({ phase: 'burst', dueMs: 1, begunMs: 1 }), entry({ phase: 'pace' })];
  expect(pacedPhases(entries, schedulesOf(health))).toMatchObject([
    { requests: [], tookMs: 0, planned: { health: 10 } },
  ]);
});

test('a clock that was set back makes no time negative', () => {
  const [phase] = pacedPhases([at(100, 90, 90, 80, 70)], schedulesOf(health));
  expect(phase?.requests[0]).toMatchObject({ dueToEndMs: [0], sentToEndMs: [0], lateMs: [0], ownLateMs: [0] });
});

test('a rate probe has three schedules, and those of a shared budget go through its operations in turn', () => {
  const run = { ...rateParameters(100, 1000), operation: 'run', siblings: [] } as const;
  expect(schedulesOf(run).map(({ phase, operations }) => [phase, operations])).toEqual([
    ['poll', ['run']],
    ['pace', ['run']],
    ['watch', ['health']],
  ]);
  const status = { ...run, operation: 'status', siblings: ['status-sync', 'stream'] } as const;
  const [, pace] = pacedPhases([], schedulesOf(status));
  const counts = Object.entries(pace?.planned ?? {});
  expect(counts.map(([name]) => name)).toEqual(['status', 'status-sync', 'stream']);
  const each = counts.map(([, count]) => count);
  expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
});

test('a probe without a steady load has none', () => {
  const parameters = { ...rateParameters(100, 1000), operation: 'cancel' } as const;
  expect(schedulesOf({ ...parameters, polls: { spans: [], edgesMs: [] }, paces: [] })).toEqual([]);
});

test('while its target stands still a load of few connections sends little, and only the corrected times show it', () => {
  const [periodMs, connections, stallFromMs, stallToMs] = [2.5, 10, 2000, 3000];
  const free = new Array<number>(connections).fill(0);
  const entries = Array.from({ length: 4000 }, (_, slot) => {
    free.sort((a, b) => a - b);
    const dueMs = slot * periodMs;
    const begunMs = Math.max(dueMs, free[0] ?? 0);
    const answeredMs = begunMs + 1 > stallFromMs && begunMs < stallToMs ? stallToMs + 1 : begunMs + 1;
    free[0] = answeredMs;
    return at(dueMs, begunMs, begunMs, answeredMs, answeredMs);
  });
  const [phase] = pacedPhases(entries, schedulesOf({ ...health, vus: connections, periodMs, durationMs: 10_000 }));
  const [ok] = phase?.requests ?? [];
  const beyond = (values: readonly number[] = []) => values.filter((ms) => ms > 100).length / 4000;
  expect(beyond(ok?.sentToEndMs)).toBeLessThan(0.01);
  expect(beyond(ok?.dueToEndMs)).toBeGreaterThan(0.05);
  // It was the target's doing: its sender began whenever a connection was free.
  expect(Math.max(...(ok?.ownLateMs ?? [1]))).toBeLessThan(0.01);
});
