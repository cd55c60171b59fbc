import { expect, test } from 'vitest';
import { limitFor, limits } from '../schemas/limits.ts';
import type { ResultLimit } from '../schemas/results.ts';
import { duration, plural } from '../schemas/thousands.ts';
import { verdicts } from '../schemas/verdicts.ts';
import { documentedWords, limitName, measuredWords } from './limit-words.ts';
import { instant, verdictWords } from './words.ts';

test.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [10_000, '10 s'],
  [12_540, '12.5 s'],
  [60_000, '1 min'],
  [252_000, '4 min 12 s'],
  [1_800_000, '30 min'],
  [5_400_000, '1 h 30 min'],
])('%i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('instants are shown in UTC, and nonsense is shown unchanged', () => {
  expect(instant('2026-11-21T03:57:12.3+01:00')).toBe('2026-11-21 02:57 UTC');
  expect(instant('yesterday')).toBe('yesterday');
});

test.each([
  ['run.rate', '1,000 requests per 10 s'],
  ['purge-queue.rate', '2 requests per 10 s'],
  ['inference.concurrency', '1,000 requests at once per IP address'],
  ['run.concurrency', '200 requests at once per endpoint'],
  ['run.payload', '10 MB (10,000,000 bytes must pass, 10,485,761 must not)'],
  ['run.queue', '429 only beyond 50 jobs and beyond WorkersMax × 500'],
  ['run.retention', '30 min after completion'],
  ['runsync.retention', '1 min after completion'],
])('%s is documented as %s', (id, text) => {
  const row = limits.find((limit) => limit.id === id);
  expect(row && documentedWords({ id, kind: row.kind, documented: { value: row.value } })).toBe(text);
});

test('a limit that the table does not have is described by its own numbers', () => {
  expect(documentedWords({ id: 'x.rate', kind: 'requests', documented: { value: 7, windowMs: 1000 } })).toBe(
    '7 requests per 1 s',
  );
});

const rate = { kind: 'requests', documented: { value: 1000, windowMs: 10_000 } } as const;
const measured = (lower: number, upper: number | null, limit: Pick<ResultLimit, 'kind' | 'documented'> = rate) =>
  measuredWords({ ...limit, measured: { lower, upper } });

test('a measurement is a point, an interval, open, or missing', () => {
  expect(measured(1000, 1000)).toBe('1,000 requests per 10 s');
  expect(measured(990, 1010)).toBe('990 to 1,010 requests per 10 s');
  expect(measured(2100, null)).toBe('no bound found: at least 2,100 requests per 10 s');
  expect(measured(0, null)).toBe('no bound found');
  expect(measuredWords({ ...rate, measured: null })).toBe('not measured');
  expect(measured(1, 1, { kind: 'queue', documented: { value: 50 } })).toBe('1 job queued');
  expect(measured(10, 12, { kind: 'content-bytes', documented: { value: 1 } })).toBe('10 to 12 bytes');
  expect(measured(55_000, 61_000, { kind: 'retention', documented: { value: 60_000 } })).toBe('55 s to 1 min 1 s');
  expect(measured(200, 200, { kind: 'concurrent-requests', documented: { value: 200 } })).toBe('200 requests at once');
});

test('every verdict has a word and a sign of its own', () => {
  expect(Object.keys(verdictWords).sort()).toEqual([...verdicts].sort());
  expect(new Set(Object.values(verdictWords).map((one) => one.sign)).size).toBe(verdicts.length);
  expect(new Set(Object.values(verdictWords).map((one) => one.word)).size).toBe(verdicts.length);
});

test('names and plurals', () => {
  const shared = limitFor('requests', 'status');
  expect(shared && limitName(shared)).toEqual({ operations: 'status, status-sync, stream', kind: 'rate' });
  expect([plural(1, 'check'), plural(1200, 'check'), plural(0, 'entry', 'entries')]).toEqual([
    '1 check',
    '1,200 checks',
    '0 entries',
  ]);
});
