/** Packing: whatever the probes, no two overlap that share something, budgets are kept, and all have their turn. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentedTable, limitFor } from '../schemas/limits.ts';
import { conflict } from './idle.ts';
import { planLoad } from './plan/index.ts';
import { usual } from './plan/testing/targets.ts';
import type { PlannedProbe } from './plan/types.ts';
import type { Resource } from './probe.ts';
import { finishedAt, type Gang, readyAt, schedule } from './schedule.ts';
import { probe } from './testing/probe.ts';

const resources: readonly Resource[] = ['budget:run', 'budget:status', 'queue:a', 'workers:a', 'bandwidth'];
const WINDOW_MS = limitFor('requests', 'run')?.windowMs ?? 0;
const RUN_LIMIT = limitFor('requests', 'run')?.value ?? 0;

const anyProbe = fc.record({
  exclusive: fc.subarray([...resources], { maxLength: 2 }),
  shared: fc.subarray([...resources], { maxLength: 2 }),
  estimateMs: fc.integer({ min: 1, max: 30_000 }),
  spent: fc.integer({ min: 0, max: 1.5 * RUN_LIMIT }),
  startsIdle: fc.boolean(),
  early: fc.option(
    fc.record({ resources: fc.subarray([...resources], { minLength: 1, maxLength: 2 }), estimateMs: fc.nat(40_000) }),
    { nil: undefined },
  ),
  machine: fc.constantFrom('loud' as const, 'steady' as const, undefined),
  idle: fc.option(fc.record({ spentMs: fc.nat(9000), loudMs: fc.nat(12_000) }), { nil: undefined }),
  sender: fc.constantFrom('k6' as const, 'held' as const),
});

const anyGangs: fc.Arbitrary<Gang[]> = fc.array(anyProbe, { maxLength: 12 }).map((all) =>
  all.map(({ spent, early, machine, idle, ...more }, index) => {
    const own = { ...more, shared: more.shared.filter((one) => !more.exclusive.includes(one)) };
    return [
      probe(`p${index}`, {
        ...own,
        ...(early && { early }),
        ...(machine && { machine }),
        // Only what starts idle has a window in which it minds nobody.
        ...(idle && own.startsIdle && { idle }),
        spends: { run: spent },
      }),
    ];
  }),
);

interface Placed {
  readonly probe: PlannedProbe;
  readonly startMs: number;
  readonly endMs: number;
}

function placed(gangs: readonly Gang[]): Placed[] {
  const probes = gangs.flat();
  return schedule(gangs, documentedTable).flatMap(({ probeId, ...times }) =>
    probes.filter(({ id }) => id === probeId).map((one) => ({ probe: one, ...times })),
  );
}

/** Whether the first is over before the other one, in its idle window, minds anything. */
function isOverInTime({ endMs }: Placed, { probe: { idle }, startMs }: Placed): boolean {
  return idle !== undefined && endMs <= startMs + Math.max(idle.spentMs, idle.loudMs);
}

test('no two probes overlap that share something one of them has to itself, idle windows apart', () => {
  fc.assert(
    fc.property(anyGangs, (gangs) => {
      const all = placed(gangs);
      for (const a of all) {
        for (const b of all) {
          if (a === b || !conflict(a.probe, b.probe)) continue;
          expect(a.endMs <= b.startMs || b.endMs <= a.startMs || isOverInTime(a, b) || isOverInTime(b, a)).toBe(true);
        }
      }
    }),
  );
});

test('what is needed at first only is nobody else’s until then', () => {
  fc.assert(
    fc.property(anyGangs, (gangs) => {
      const all = placed(gangs);
      for (const { probe: a, startMs } of all) {
        const untilMs = startMs + Math.min(a.early?.estimateMs ?? 0, a.estimateMs);
        for (const b of all) {
          const owned = a.early?.resources.some((resource) => b.probe.exclusive.includes(resource)) ?? false;
          if (a === b.probe || !owned) continue;
          const mindsMs = b.startMs + (b.probe.idle?.spentMs ?? 0);
          expect(b.endMs <= startMs || untilMs <= mindsMs).toBe(true);
        }
      }
    }),
  );
});

test('every probe is scheduled once and lasts as long as estimated', () => {
  fc.assert(
    fc.property(anyGangs, (gangs) => {
      const all = placed(gangs);
      expect(all.map(({ probe: one }) => one.id).sort()).toEqual(
        gangs
          .flat()
          .map(({ id }) => id)
          .sort(),
      );
      for (const { probe: one, startMs, endMs } of all) expect(endMs - startMs).toBe(one.estimateMs);
    }),
  );
});

test('the same gangs give the same schedule', () => {
  fc.assert(
    fc.property(anyGangs, (gangs) => {
      expect(schedule(gangs, documentedTable)).toEqual(schedule(gangs, documentedTable));
    }),
  );
});

test('no window is overspent by probes that meet in it, unless one alone does it', () => {
  fc.assert(
    fc.property(anyGangs, (gangs) => {
      const all = placed(gangs).filter(({ probe: one }) => (one.spends.run ?? 0) > 0);
      for (const one of all.filter(({ probe: { startsIdle } }) => !startsIdle)) {
        const begins = ({ probe: { idle }, startMs }: Placed) => startMs + (idle?.spentMs ?? 0);
        const met = all.filter((other) => begins(other) <= one.startMs && other.endMs > one.startMs - WINDOW_MS);
        const sum = met.reduce((total, { probe: { spends } }) => total + (spends.run ?? 0), 0);
        const later = met.filter((other) => other !== one && other.probe.startsIdle && other.startMs >= one.startMs);
        if (met.length > 1 && later.length === 0) expect(sum).toBeLessThanOrEqual(RUN_LIMIT);
      }
    }),
  );
});

test('nobody waits without a reason: something runs at every moment, or a window empties', () => {
  fc.assert(
    fc.property(anyGangs, (gangs) => {
      const all = placed(gangs);
      for (const { startMs } of all) {
        const before = all.filter((other) => other.startMs < startMs);
        const lastEnd = before.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
        expect(startMs).toBeLessThanOrEqual(lastEnd + WINDOW_MS + 1000);
      }
    }),
  );
});

const entriesOf = (...gangs: Gang[]) =>
  Object.fromEntries(schedule(gangs, documentedTable).map(({ probeId, startMs }) => [probeId, startMs]));

test('shared use goes side by side, exclusive use one after the other', () => {
  const shares = { shared: ['queue:a'] as const };
  expect(entriesOf([probe('x', shares)], [probe('y', shares)])).toEqual({ x: 0, y: 0 });
  expect(entriesOf([probe('x', shares)], [probe('y', { exclusive: ['queue:a'] })])).toEqual({ x: 0, y: 1000 });
});

test('a later probe fills the gap that an earlier one cannot use', () => {
  const alone = { exclusive: ['queue:a'] as const };
  expect(entriesOf([probe('x', alone)], [probe('y', alone)], [probe('z')])).toEqual({ x: 0, y: 1000, z: 0 });
});

test('a gang starts together and keeps all of its resources until its last probe is done', () => {
  const gang = [probe('x', { estimateMs: 5000 }), probe('y', { exclusive: ['queue:a'] })];
  expect(entriesOf([probe('w', { exclusive: ['queue:a'] })], gang, [probe('z', { exclusive: ['queue:a'] })])).toEqual({
    w: 0,
    x: 1000,
    y: 1000,
    z: 6000,
  });
});

test('what was just spent counts for a window; an idle window of one’s own makes up for it', () => {
  const spender = probe('x', { spends: { run: RUN_LIMIT - 10 } });
  const start = entriesOf([spender], [probe('y', { spends: { run: 20 } })]).y ?? 0;
  expect(start).toBeGreaterThan(spender.estimateMs + WINDOW_MS);
  expect(start).toBeLessThan(spender.estimateMs + WINDOW_MS + 1000);
  expect(entriesOf([spender], [probe('y', { spends: { run: 10 } })]).y).toBe(0);
  expect(entriesOf([spender], [probe('y', { spends: { run: 20 }, startsIdle: true })]).y).toBe(0);
});

test('only so many senders at once, but a gang is never split', () => {
  const many = Array.from({ length: 9 }, (_, index) => probe(`p${index}`));
  expect(Object.values(entriesOf(...many.map((one) => [one]))).filter((startMs) => startMs === 0)).toHaveLength(7);
  expect(Object.values(entriesOf(many))).toEqual(new Array(9).fill(0));
  const held = many.slice(0, 3).map((one) => [{ ...one, sender: 'held' as const }]);
  expect(Object.values(entriesOf(...held))).toEqual([0, 0, 1000]);
});

const runs = (one: PlannedProbe, preparing = false) => ({ probe: one, preparing, startMs: 0, endMs: one.estimateMs });

test('a gang that may start says now, one that is blocked says never yet', () => {
  const x = probe('x', { exclusive: ['bandwidth'] });
  expect(readyAt([x], { running: [], finished: [], table: documentedTable }, 42)).toBe(42);
  const y = probe('y', { shared: ['bandwidth'] });
  expect(readyAt([x], { running: [runs(y)], finished: [], table: documentedTable }, 42)).toBe(Infinity);
});

test('what a probe needs at first only is given back when its preparation is over', () => {
  const slow = probe('x', {
    estimateMs: 9000,
    early: { resources: ['budget:run'], estimateMs: 3000 },
    spends: { run: 3 },
  });
  const held = probe('y', { exclusive: ['budget:run'], estimateMs: 2000 });
  expect(entriesOf([slow], [held])).toEqual({ x: 0, y: 3000 });
  expect(entriesOf([held], [slow])).toEqual({ y: 0, x: 2000 });
  expect(readyAt([held], { running: [runs(slow, true)], finished: [], table: documentedTable }, 42)).toBe(Infinity);
  expect(readyAt([held], { running: [runs(slow)], finished: [], table: documentedTable }, 42)).toBe(42);
  expect(conflict(slow, held)).toBe(false);
});

test('whoever spends on a budget uses it, also where nothing else says so', () => {
  const all = probe('x', { exclusive: ['budget:run'] });
  expect(conflict(all, probe('y', { spends: { run: 1 } }))).toBe(true);
  expect(conflict(all, probe('y', { spends: { run: 0, status: 1 } }))).toBe(false);
});

test('nothing loud runs beside what is steady; each beside its like', () => {
  const loud = probe('x', { machine: 'loud' });
  const steady = probe('y', { machine: 'steady' });
  expect(conflict(loud, steady)).toBe(true);
  expect(conflict(steady, probe('z', { exclusive: ['bandwidth'] }))).toBe(true);
  expect(conflict(steady, probe('z'))).toBe(false);
  expect(conflict(loud, probe('z', { machine: 'loud' }))).toBe(false);
  expect(conflict(steady, probe('z', { machine: 'steady' }))).toBe(false);
});

test('whoever starts idle overtakes nobody that would have to wait for it', () => {
  const long = { exclusive: ['queue:a'] as const, estimateMs: 5000 };
  const spender = probe('y', { ...long, spends: { run: 1 } });
  const rate = probe('z', { exclusive: ['budget:run'], startsIdle: true, estimateMs: 50_000 });
  expect(entriesOf([probe('x', long)], [spender], [rate])).toEqual({ x: 0, y: 5000, z: 10_000 });
  expect(entriesOf([probe('x', long)], [rate], [probe('y', long)])).toEqual({ x: 0, z: 0, y: 5000 });
});

test('nobody overtakes at the expense of one whose time is known', () => {
  const first = probe('x', { spends: { run: RUN_LIMIT - 10 } });
  const waiting = probe('y', { spends: { run: 20 } });
  const [short, long] = [
    probe('s', { spends: { run: 5 } }),
    probe('l', { exclusive: ['budget:run'], estimateMs: 30_000 }),
  ];
  const starts = entriesOf([first], [waiting], [long], [short]);
  expect(starts.y).toBeLessThan(first.estimateMs + WINDOW_MS + 1000);
  expect(starts.l).toBeGreaterThan(starts.y ?? 0);
  expect(starts.s).toBe(0);
});

test('what was spent right before the load counts for a window', () => {
  const before = [{ spends: { run: RUN_LIMIT }, endMs: 0 }];
  const gangs = [[probe('x', { spends: { run: 1 } })], [probe('y')]];
  const [first, second] = schedule(gangs, documentedTable, { before });
  expect(first).toMatchObject({ probeId: 'y', startMs: 0 });
  expect(second?.startMs).toBeGreaterThan(WINDOW_MS);
});

test('what asks whose a limit is waits until that of another endpoint is free, and for nothing else', () => {
  const exhausts = { spends: { run: 3 * RUN_LIMIT }, startsIdle: true };
  const asks = probe('asks', { ...exhausts, elsewhere: { instId: 'b', spends: { run: 1 } } });
  const startOf = (instId: string | undefined, one = asks) => {
    const before = [{ spends: { run: RUN_LIMIT }, endMs: 0, ...(instId === undefined ? {} : { instId }) }];
    return schedule([[one]], documentedTable, { before })[0]?.startMs;
  };
  expect(startOf('a')).toBe(0);
  expect(startOf('b')).toBeGreaterThan(WINDOW_MS);
  expect(startOf(undefined)).toBeGreaterThan(WINDOW_MS);
  expect(startOf('b', probe('alone', exhausts))).toBe(0);
});

test('a probe spends on its own endpoint, but one that asks whose a limit is on another as well', () => {
  const one = probe('one', { spends: { run: 2 } });
  expect(finishedAt(one, 5)).toEqual([{ spends: { run: 2 }, instId: 'a', endMs: 5 }]);
  expect(finishedAt(one, 5, { run: 1 })).toEqual([{ spends: { run: 1 }, instId: 'a', endMs: 5 }]);
  const { probes } = planLoad({ target: usual, profile: 'gate', only: ['*.scope'], calibration: null });
  for (const scope of probes) {
    const { instId } = scope.parameters;
    expect(finishedAt(scope, 5)).toEqual([
      { spends: scope.spends, instId, endMs: 5 },
      { ...scope.elsewhere, endMs: 5 },
    ]);
    expect(scope.elsewhere?.instId).not.toBe(instId);
  }
  expect(probes).toHaveLength(3);
});

test('in which order it is told what was spent does not matter', () => {
  const wanting = [probe('x', { spends: { run: RUN_LIMIT / 2 } })];
  const spent = [
    { spends: { run: 0.6 * RUN_LIMIT }, endMs: -9000 },
    { spends: { run: 0.6 * RUN_LIMIT }, endMs: -1000 },
  ];
  const readyAfter = (finished: typeof spent) => readyAt(wanting, { running: [], finished, table: documentedTable }, 0);
  expect(readyAfter(spent)).toBeGreaterThan(WINDOW_MS - 1000);
  expect(readyAfter([...spent].reverse())).toBe(readyAfter(spent));
});
