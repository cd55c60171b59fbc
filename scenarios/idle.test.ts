/** What may go on beside a rate probe that still waits through its idle window. */
import { expect, test } from 'vitest';
import { documentedTable, limitFor } from '../schemas/limits.ts';
import { conflict, deadlinesOf, isKeptFrom, leavesBudgets, type Timed } from './idle.ts';
import type { PlannedProbe } from './plan/types.ts';
import { type Gang, schedule, Turns } from './schedule.ts';
import { probe as anyProbe } from './testing/probe.ts';

const probe = (id: string, more: Partial<PlannedProbe> = {}) => anyProbe(id, { estimateMs: 2000, ...more });

const idle = { spentMs: 6000, loudMs: 12_000 };
const rate = probe('rate', {
  exclusive: ['budget:cancel'],
  shared: ['queue:a'],
  spends: { cancel: 300 },
  startsIdle: true,
  machine: 'steady',
  estimateMs: 50_000,
  idle,
});
const spender = probe('spender', { exclusive: ['budget:cancel'], spends: { cancel: 90 } });
const loud = probe('loud', { machine: 'loud', estimateMs: 4000 });
const fills = probe('fills', { exclusive: ['queue:a'] });
const prepares = probe('prepares', {
  spends: { cancel: 1 },
  early: { resources: ['budget:cancel'], estimateMs: 500 },
});

const from = (one: PlannedProbe, startMs: number): Timed => ({ probe: one, startMs, endMs: startMs + one.estimateMs });
const runs = (one: PlannedProbe, startMs: number, preparing = false) => ({ ...from(one, startMs), preparing });

/** The last moment at which each may start beside the other, the rate probe having started at 0, ms. */
function lastStart(other: PlannedProbe, preparing = false): number {
  const starts = Array.from({ length: 401 }, (_, index) => -10_000 + index * 50);
  const allowed = starts.filter((startMs) =>
    startMs <= 0
      ? !isKeptFrom(from(rate, 0), runs(other, startMs, preparing))
      : !isKeptFrom(from(other, startMs), runs(rate, 0)),
  );
  return Math.max(...allowed);
}

test('it has to be over before the window in which the budget is to stay unspent, also if it takes longer', () => {
  expect(conflict(rate, spender)).toBe(true);
  expect(lastStart(spender)).toBe(idle.spentMs - 2000 - 1000);
  expect(lastStart(fills)).toBe(idle.spentMs - 2000 - 1000);
  expect(lastStart({ ...spender, estimateMs: 4000 })).toBe(idle.spentMs - 4000 - 2000);
});

test('what is loud has to be over before the burst alone', () => {
  expect(lastStart(loud)).toBe(idle.loudMs - 4000 - 2000);
  expect(lastStart({ ...spender, machine: 'loud' })).toBe(idle.spentMs - 2000 - 1000);
});

test('of what spends while it prepares itself, only the preparation has to be over', () => {
  expect(conflict(rate, prepares)).toBe(false);
  expect(lastStart(prepares)).toBe(idle.spentMs - 500 - 1000);
});

test('one that runs a job of its own at first needs the queue and the workers at once', () => {
  const early = { resources: ['budget:run'], estimateMs: 1000 } as const;
  expect(isKeptFrom(from({ ...rate, early }, 0), runs(fills, -1000))).toBe(true);
  expect(isKeptFrom(from({ ...rate, early }, 0), runs(spender, -1000))).toBe(false);
});

test('without an idle window nobody gets past another', () => {
  const { idle: _, ...plain } = rate;
  for (const other of [spender, loud, fills]) {
    expect(isKeptFrom(from(plain, 0), runs(other, -1000))).toBe(true);
    expect(isKeptFrom(from(other, 100), runs(plain, 0))).toBe(true);
  }
});

test('whose budget is spent only later counts for nothing until then', () => {
  expect(leavesBudgets(from(rate, 0), from(spender, 3000))).toBe(true);
  expect(leavesBudgets(from(rate, 0), from(spender, 3050))).toBe(false);
  expect(leavesBudgets(from(spender, 0), from(loud, 0))).toBe(false);
});

test('two that overlap so have a moment at which the other has to be over, or prepared', () => {
  expect(deadlinesOf(from(rate, 1000), from(spender, 0))).toEqual([
    { idle: rate, other: spender, state: 'over', atMs: 1000 + idle.spentMs },
  ]);
  expect(deadlinesOf(from(loud, 0), from(rate, 1000))).toEqual([
    { idle: rate, other: loud, state: 'over', atMs: 1000 + idle.loudMs },
  ]);
  expect(deadlinesOf(from(rate, 0), from(prepares, 0))).toEqual([
    { idle: rate, other: prepares, state: 'prepared', atMs: idle.spentMs },
  ]);
  expect(deadlinesOf(from(rate, 0), from(probe('other'), 0))).toEqual([]);
  expect(deadlinesOf(from(loud, 0), from(spender, 0))).toEqual([]);
});

test('a gang begins to wait beside what runs, and before what fits into its window', () => {
  const startsOf = (...gangs: Gang[]) =>
    Object.fromEntries(schedule(gangs, documentedTable).map(({ probeId, startMs }) => [probeId, startMs]));
  expect(startsOf([spender], [rate])).toEqual({ spender: 0, rate: 0 });
  expect(startsOf([loud], [rate])).toEqual({ loud: 0, rate: 0 });
  const { value = 0, windowMs = 0 } = limitFor('requests', 'run') ?? {};
  const first = probe('first', { spends: { run: value }, estimateMs: 1000 });
  const later = probe('later', { exclusive: ['budget:cancel'], spends: { run: 1, cancel: 1 } });
  const starts = startsOf([first], [probe('long', { exclusive: ['queue:a'], estimateMs: 7000 })], [later], [rate]);
  expect(starts.later).toBeGreaterThan(windowMs);
  expect(starts.rate).toBeLessThan(starts.later ?? 0);
  expect(starts.rate).toBe((starts.later ?? 0) + 3000 - idle.spentMs);
});

test('who can’t spend in the same window comes in the planned order', () => {
  const { value = 0 } = limitFor('requests', 'run') ?? {};
  const half = (id: string, more: Partial<PlannedProbe> = {}) => probe(id, { spends: { run: 0.6 * value }, ...more });
  const [a, b, c]: Gang[] = [
    [half('a', { exclusive: ['workers:a'] })],
    [half('b')],
    [probe('c', { spends: { run: 9 } })],
  ];
  if (!a || !b || !c) throw new Error('three are needed');
  const entries = [
    { probeId: 'a', startMs: 1000, endMs: 3000 },
    { probeId: 'b', startMs: 12_000, endMs: 14_000 },
    { probeId: 'c', startMs: 13_000, endMs: 15_000 },
  ];
  const turns = new Turns([a, b, c], entries, documentedTable);
  expect(turns.hasToWait(b, [a, b, c])).toBe(true);
  expect(turns.hasToWait(b, [b, c])).toBe(false);
  expect(turns.hasToWait(a, [a, b, c])).toBe(false);
  expect(turns.hasToWait(c, [a, b, c])).toBe(false);
  const busy: Gang = [probe('busy', { exclusive: ['workers:a'], estimateMs: 5000 })];
  const startsOf = (course: Parameters<typeof schedule>[2]) =>
    Object.fromEntries(
      schedule([busy, a, b, c], documentedTable, course).map(({ probeId, startMs }) => [probeId, startMs]),
    );
  expect(startsOf({}).b).toBe(0);
  const inTurn = startsOf({ turns });
  expect(inTurn.a).toBe(5000);
  expect(inTurn.b).toBeGreaterThan(15_000);
});
