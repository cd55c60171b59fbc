/** Packing: whatever the probes, no two overlap that share something, budgets are kept, and all have their turn. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable, limitFor, limitTable } from '../schemas/limits.ts';
import { bursts } from './kinds/rate/timeline.ts';
import type { PlannedProbe } from './plan/types.ts';
import type { RateParameters, Resource } from './probe.ts';
import { areRelated, type Placed, placeInOrder, type Sent } from './schedule.ts';
import { probe } from './testing/probe.ts';
import { rateParameters } from './testing/rate-simulation.ts';

const resources: readonly Resource[] = ['budget:run', 'budget:status', 'queue:a', 'workers:a', 'bandwidth'];
const WINDOW_MS = limitFor('requests', 'run')?.windowMs ?? 0;
const RUN_LIMIT = limitFor('requests', 'run')?.value ?? 0;

const anyProbe = fc.record({
  exclusive: fc.subarray([...resources], { maxLength: 2 }),
  shared: fc.subarray([...resources], { maxLength: 2 }),
  estimateMs: fc.integer({ min: 1, max: 30_000 }),
  spent: fc.integer({ min: 0, max: 1.5 * RUN_LIMIT }),
  usual: fc.double({ min: 0, max: 1, noNaN: true }),
  startsIdle: fc.boolean(),
  early: fc.option(
    fc.record({ resources: fc.subarray([...resources], { minLength: 1, maxLength: 2 }), estimateMs: fc.nat(40_000) }),
    { nil: undefined },
  ),
  machine: fc.constantFrom('loud' as const, 'steady' as const, undefined),
  sender: fc.constantFrom('k6' as const, 'held' as const),
});

const rate = (id: string, more: Partial<PlannedProbe> = {}): PlannedProbe => {
  const parameters: RateParameters = { ...rateParameters(RUN_LIMIT, WINDOW_MS), operation: 'run' };
  const spends = { run: 3 * RUN_LIMIT };
  const own = { parameters, spends, estimateMs: parameters.untilMs + 1000, exclusive: ['budget:run'] as const };
  return probe(id, { ...own, startsIdle: true, machine: 'steady', ...more });
};

const anyProbes: fc.Arbitrary<PlannedProbe[]> = fc
  .tuple(fc.array(anyProbe, { maxLength: 12 }), fc.nat(2))
  .map(([all, rates]) => [
    ...all.map(({ spent, usual, early, machine, ...more }, index) =>
      probe(`p${index}`, {
        ...more,
        shared: more.shared.filter((one) => !more.exclusive.includes(one)),
        ...(early && { early }),
        ...(machine && { machine }),
        spends: { run: spent },
        usually: { run: Math.floor(usual * spent) },
      }),
    ),
    ...Array.from({ length: rates }, (_, index) => rate(`r${index}`)),
  ]);

const none = { placed: [], before: [], table: documentedTable, beganMs: 0 };
const place = (probes: readonly PlannedProbe[], before: readonly Sent[] = []): Placed[] =>
  placeInOrder(probes, { ...none, before }, 0);
const startsOf = (...probes: PlannedProbe[]) =>
  Object.fromEntries(place(probes).map(({ probe: { id }, startMs }) => [id, startMs]));

/** From when until when it uses what it names. */
function useOf(
  { probe: one, startMs, endMs, preparedMs }: Placed,
  resource: Resource,
): readonly [number, number] | null {
  if (one.early?.resources.includes(resource)) return [startMs, preparedMs];
  const spends = resource === 'budget:run' && (one.spends.run ?? 0) > 0;
  if (!one.exclusive.includes(resource) && !one.shared.includes(resource) && !spends) return null;
  return [startMs, endMs];
}

test('no two probes use something at the same time that one of them has to itself', () => {
  const property = fc.property(anyProbes, (probes) => {
    const all = place(probes);
    for (const a of all) {
      for (const resource of a.probe.exclusive) {
        const own = a.probe.early?.resources.includes(resource) ? [a.startMs, a.endMs] : useOf(a, resource);
        for (const b of all) {
          const theirs = a === b ? null : useOf(b, resource);
          if (own && theirs) expect((own[1] ?? 0) <= theirs[0] || theirs[1] <= (own[0] ?? 0)).toBe(true);
        }
      }
    }
  });
  fc.assert(property);
});

test('nothing loud runs together with a steady probe, once that needs it', () => {
  const property = fc.property(anyProbes, (probes) => {
    const all = place(probes);
    const isLoud = ({ probe: one }: Placed) => one.machine === 'loud' || one.exclusive.includes('bandwidth');
    for (const loud of all.filter(isLoud)) {
      for (const one of all.filter(({ probe: { machine } }) => machine === 'steady')) {
        if (isLoud(one)) continue;
        const { parameters } = one.probe;
        const mindsMs = one.startMs + (parameters.kind === 'rate' ? parameters.burstAtMs - 1500 : 0);
        expect(loud.endMs <= mindsMs || one.endMs <= loud.startMs).toBe(true);
      }
    }
  });
  fc.assert(property);
});

test('no rate probe starts before what would have to wait for all of it, were it a moment late', () => {
  const property = fc.property(anyProbes, (probes) => {
    const all = place(probes);
    const isOf = (id: RegExp) => all.filter(({ probe: one }) => id.test(one.id));
    for (const { startMs } of isOf(/^r/)) {
      for (const other of isOf(/^p/)) {
        const clashes = other.probe.machine === 'loud' || other.probe.exclusive.includes('budget:run');
        expect(!clashes || other.startMs <= startMs).toBe(true);
      }
    }
  });
  fc.assert(property);
});

test('every probe has its place once, and lasts as long as estimated', () => {
  const property = fc.property(anyProbes, (probes) => {
    const all = place(probes);
    expect(all.map(({ probe: one }) => one)).toEqual(probes);
    for (const { probe: one, startMs, endMs } of all) {
      expect(Number.isFinite(startMs)).toBe(true);
      expect(endMs - startMs).toBeCloseTo(one.estimateMs);
    }
  });
  fc.assert(property);
});

/** Requests on the budget of run that may count at this moment, of all but this one. */
const countedAt = (all: readonly Placed[], atMs: number, but: Placed): number =>
  all.reduce((sum, one) => {
    const { probe: other, startMs, endMs, preparedMs } = one;
    if (one === but) return sum;
    const lastMs = other.early?.resources.includes('budget:run') ? preparedMs : endMs;
    const isRate = other.parameters.kind === 'rate';
    const fromMs = startMs + (isRate ? (other.parameters as RateParameters).burstAtMs : 0);
    const most = Math.min(RUN_LIMIT, isRate ? RUN_LIMIT : (other.spends.run ?? 0));
    if (fromMs <= atMs && atMs < lastMs) return sum + most;
    const later = Math.min(RUN_LIMIT, (other.usually ?? other.spends).run ?? 0);
    return lastMs <= atMs && atMs <= lastMs + WINDOW_MS ? sum + later : sum;
  }, 0);

test('no window that a probe needs room in is overspent, wherever it begins', () => {
  const property = fc.property(anyProbes, (probes) => {
    const all = place(probes);
    for (const one of all) {
      const { probe: own, startMs, endMs, preparedMs } = one;
      const isEarly = own.early?.resources.includes('budget:run') ?? false;
      if (own.startsIdle && !isEarly) continue;
      const wanted = Math.min(RUN_LIMIT, own.spends.run ?? 0);
      if (wanted === 0) continue;
      const untilMs = isEarly ? preparedMs : endMs;
      const moments = [startMs, ...all.map((other) => other.startMs)].filter((ms) => startMs <= ms && ms < untilMs);
      for (const ms of moments) expect(wanted + countedAt(all, ms, one)).toBeLessThanOrEqual(RUN_LIMIT);
    }
  });
  fc.assert(property);
});

test('nothing was sent in the window before the first burst of a rate probe, and no burst meets another', () => {
  const property = fc.property(anyProbes, fc.nat(RUN_LIMIT), fc.nat(WINDOW_MS), (probes, spent, agoMs) => {
    const before = [{ spends: { run: spent }, endMs: -agoMs }];
    const all = place(probes, before);
    const rates = all.filter(({ probe: { parameters } }) => parameters.kind === 'rate');
    for (const one of rates) {
      const burstMs = one.startMs + (one.probe.parameters as RateParameters).burstAtMs;
      expect(burstMs).toBeGreaterThan(WINDOW_MS);
      expect(countedAt(all, burstMs, one)).toBe(0);
    }
  });
  fc.assert(property);
  const apart = { exclusive: [], spends: {} };
  const starts = Object.values(startsOf(rate('x', apart), rate('y', apart), rate('z', apart)));
  const [x = 0, y = 0, z = 0] = starts.sort((a, b) => a - b);
  const [{ fromMs = 0, untilMs = 0 } = {}] = bursts(rate('x').parameters as RateParameters);
  expect(Math.min(y - x, z - y)).toBeGreaterThan(untilMs - fromMs);
});

test('shared use goes side by side, exclusive use one after the other', () => {
  const shares = { shared: ['queue:a'] as const };
  expect(startsOf(probe('x', shares), probe('y', shares))).toEqual({ x: 0, y: 0 });
  expect(startsOf(probe('x', shares), probe('y', { exclusive: ['queue:a'] }))).toEqual({ x: 0, y: 1000 });
});

test('a later probe fills the gap that an earlier one cannot use, and delays none that comes before it', () => {
  const alone = { exclusive: ['queue:a'] as const };
  expect(startsOf(probe('x', alone), probe('y', alone), probe('z'))).toEqual({ x: 0, y: 1000, z: 0 });
  const [short, long] = [
    probe('s', { shared: ['bandwidth'] }),
    probe('l', { estimateMs: 3000, shared: ['bandwidth'] }),
  ];
  const both = probe('y', { exclusive: ['queue:a', 'bandwidth'] });
  expect(startsOf(probe('x', alone), both, long, short)).toEqual({ x: 0, y: 1000, l: 2000, s: 0 });
});

test('what was just spent counts for a window', () => {
  const spender = probe('x', { spends: { run: RUN_LIMIT - 10 } });
  const start = startsOf(spender, probe('y', { spends: { run: 20 } })).y ?? 0;
  expect(start).toBeGreaterThan(spender.estimateMs + WINDOW_MS);
  expect(start).toBeLessThan(spender.estimateMs + WINDOW_MS + 1000);
  expect(startsOf(spender, probe('y', { spends: { run: 10 } })).y).toBe(0);
  // A probe that exceeds the limit on purpose needs no room, but it may not take the room of others.
  expect(startsOf(spender, probe('y', { spends: { run: 20 }, startsIdle: true })).y).toBe(spender.estimateMs);
});

test('one that spends later leaves room for what was given a place before', () => {
  const first = probe('x', { spends: { run: RUN_LIMIT }, shared: ['queue:a'] });
  const before = probe('w', { exclusive: ['queue:a'], estimateMs: 5000 });
  const starts = startsOf(before, first, probe('y', { spends: { run: 1 } }));
  expect(starts.x).toBe(5000);
  expect(starts.y).toBeGreaterThan(6000 + WINDOW_MS);
});

test('only so many senders at once', () => {
  const many = Array.from({ length: 9 }, (_, index) => probe(`p${index}`));
  expect(Object.values(startsOf(...many)).filter((startMs) => startMs === 0)).toHaveLength(7);
  const held = many.slice(0, 3).map((one) => ({ ...one, sender: 'held' as const }));
  expect(Object.values(startsOf(...held))).toEqual([0, 0, 1000]);
});

test('what a probe needs at first only is given back when its preparation is over', () => {
  const early = { resources: ['budget:run'] as const, estimateMs: 3000 };
  const slow = probe('x', { estimateMs: 9000, early, spends: { run: 3 } });
  const held = probe('y', { exclusive: ['budget:run'], estimateMs: 2000 });
  expect(startsOf(slow, held)).toEqual({ x: 0, y: 3000 });
  expect(startsOf(held, slow)).toEqual({ y: 0, x: 2000 });
});

const runs = (one: PlannedProbe, more: Partial<Placed> = {}): Placed => ({
  probe: one,
  startMs: 0,
  preparedMs: 0,
  endMs: Number.POSITIVE_INFINITY,
  ...more,
});

test('a probe that takes longer than expected delays those that need its resources, and those that would overtake them', () => {
  const late = runs(probe('late', { exclusive: ['queue:a'] }));
  const waiting = probe('x', { shared: ['queue:a'], exclusive: ['bandwidth'] });
  const behind = probe('y', { exclusive: ['bandwidth'] });
  const other = probe('z');
  const found = placeInOrder([waiting, behind, other], { ...none, placed: [late] }, 42);
  expect(found.map(({ probe: one, startMs }) => [one.id, startMs])).toEqual([['z', 42]]);
});

test('a rate probe, whose burst is set when it starts, waits for the end of what spends the same, not for the estimate', () => {
  const table = limitTable(
    documentedTable.rows.map((row) => (row.kind === 'requests' ? { ...row, windowMs: 1000 } : row)),
  );
  const spender = probe('spender', { spends: { run: 20 }, estimateMs: 5000 });
  const short = { ...rateParameters(RUN_LIMIT, 1000), operation: 'run' } as const;
  const found = (endMs: number) =>
    placeInOrder([rate('r', { parameters: short })], { ...none, table, placed: [runs(spender, { endMs })] }, 3000);
  expect(short.burstAtMs).toBeGreaterThan(2000);
  expect(found(5000)[0]?.startMs).toBe(5000);
  expect(found(Number.POSITIVE_INFINITY)).toEqual([]);
});

test('of what is over only what it really sent counts, for a window', () => {
  const over = (run: number): Placed => runs(probe('o', { spends: { run: RUN_LIMIT } }), { endMs: 40, spent: { run } });
  const wanting = [probe('x', { spends: { run: 20 } })];
  const startOf = (run: number) => placeInOrder(wanting, { ...none, placed: [over(run)] }, 42)[0]?.startMs;
  expect(startOf(RUN_LIMIT - 20)).toBe(42);
  expect(startOf(RUN_LIMIT - 19)).toBeGreaterThan(40 + WINDOW_MS);
});

test('spending on a budget is using it, also where nothing else says so', () => {
  const all = probe('x', { exclusive: ['budget:run'] });
  expect(areRelated(all, probe('y', { spends: { run: 1 } }))).toBe(true);
  expect(areRelated(all, probe('y', { spends: { run: 0, status: 1 } }))).toBe(false);
});

test('what was spent right before the load counts for a window, listed in any order', () => {
  const spent = [
    { spends: { run: 0.6 * RUN_LIMIT }, endMs: -9000 },
    { spends: { run: 0.6 * RUN_LIMIT }, endMs: -1000 },
  ];
  const wanting = [probe('x', { spends: { run: RUN_LIMIT / 2 } }), probe('y')];
  const starts = (before: readonly Sent[]) => place(wanting, before).map(({ startMs }) => startMs);
  expect(starts(spent)[0]).toBeGreaterThan(WINDOW_MS - 1000);
  expect(starts(spent)[1]).toBe(0);
  expect(starts([...spent].reverse())).toEqual(starts(spent));
});

test('a scope probe waits until the limit of another endpoint is free, and for nothing else', () => {
  const exhausts = { spends: { run: 3 * RUN_LIMIT }, startsIdle: true };
  const variants = probe('asks', { ...exhausts, elsewhere: { instId: 'b', spends: { run: 1 } } });
  const startOf = (instId: string, one = variants) => {
    const { parameters } = probe('spender');
    const spender = probe('spender', { parameters: { ...parameters, instId } as PlannedProbe['parameters'] });
    const spent = runs({ ...spender, spends: { run: RUN_LIMIT } }, { endMs: 0, startMs: -1 });
    return placeInOrder([one], { ...none, placed: [spent] }, 0)[0]?.startMs;
  };
  expect(startOf('a')).toBe(0);
  expect(startOf('b')).toBeGreaterThan(WINDOW_MS);
  expect(startOf('b', probe('alone', exhausts))).toBe(0);
});
