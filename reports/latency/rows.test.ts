/** Latency of several probes put together, and load as it was achieved. */
import { expect, test } from 'vitest';
import type { PacedPhase } from '../../schemas/latency.ts';
import { achievedRows, latencyRows } from './rows.ts';
import { facts, requests } from './testing/paced.ts';

const phase = (changes: Partial<PacedPhase> = {}): PacedPhase => ({
  phase: 'pace',
  periodMs: 10,
  planned: { run: 100 },
  tookMs: 990,
  requests: [],
  ...changes,
});
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

test('requests of one operation and class are put together, whichever probe sent them', () => {
  const ok = (from: number) => [requests('health', { dueToEndMs: numbers(50, from), sentToEndMs: numbers(50, from) })];
  const rows = latencyRows([
    facts([phase({ requests: ok(1) })], 'health.unlimited'),
    facts([
      phase({ requests: ok(51) }),
      phase({ phase: 'watch', requests: [requests('health', { statusClass: '5xx' })] }),
    ]),
  ]);
  expect(rows.map(({ operation, statusClass, requests: count }) => [operation, statusClass, count])).toEqual([
    ['health', '2xx', 100],
    ['health', '5xx', 1],
  ]);
  expect(rows[0]?.latency).toEqual({ p50: 50, p90: 90, p95: 95, p99: 99, max: 100 });
  expect(rows[0]).not.toHaveProperty('note');
  expect(rows[1]).toMatchObject({ note: 'p50 needs 2, p90 needs 10, p95 needs 20, p99 needs 100 values; there is 1' });
});

test('a refusal is quick, and is not among the answers', () => {
  const [answered, refused] = [requests('run', { dueToEndMs: [500] }), requests('run', { statusClass: '429' })];
  const rows = latencyRows([facts([phase({ requests: [refused, answered] })])]);
  expect(rows.map(({ statusClass, latency }) => [statusClass, latency.max])).toEqual([
    ['2xx', 500],
    ['429', 1],
  ]);
});

test('what it was from its sending is shown where that differs, and no first byte where there was none', () => {
  const stalled = requests('run', { dueToEndMs: [900], sentToEndMs: [2] });
  const silent = requests('run', { statusClass: 'none', dueToEndMs: [30_000], sentToEndMs: [29_990] });
  const [one, other] = latencyRows([facts([phase({ requests: [stalled, silent] })])]);
  expect(one).toMatchObject({ latency: { max: 900 }, uncorrected: { max: 2 }, firstByte: { max: 1 } });
  expect(other).not.toHaveProperty('uncorrected');
  expect(other).not.toHaveProperty('firstByte');
});

test('load as planned and as sent', () => {
  const late = (count: number, ms: number) => requests('run', { lateMs: new Array(count).fill(ms) });
  const rows = achievedRows([
    facts([phase({ requests: [late(100, 2)] })], 'run.rate'),
    facts([phase({ requests: [late(60, 2), late(20, 500)], tookMs: 1990 })], 'late'),
    facts([phase()], 'never'),
  ]);
  expect(rows).toMatchObject([
    {
      probe: 'run.rate',
      phase: 'pace',
      operations: ['run'],
      planned: 100,
      sent: 100,
      plannedRate: 100,
      achievedRate: 100,
    },
    { probe: 'late', sent: 80, achievedRate: 40, lateness: { p50: 2, max: 500 } },
    { probe: 'never', sent: 0, achievedRate: 0 },
  ]);
  expect(rows[2]).not.toHaveProperty('lateness');
});
