/** When probes start: as the plan says where estimates hold, and whatever was spent before or takes longer. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import { type Deadline, deadlinesOf } from '../idle.ts';
import type { LoadPlan, PlannedProbe } from '../plan/types.ts';
import type { Probe } from '../probe.ts';
import { schedule, Turns } from '../schedule.ts';
import { ledgerOf, line } from './testing/fake-execute.ts';
import { asUsual, cutShort, exact, finish, planFor, preparationOf } from './testing/fake-run.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('what was sent right before the load counts as long as the target may count it', async () => {
  const plan = planFor(['run.concurrency.*']);
  const window = limitFor('requests', 'run');
  if (!window) throw new Error('no rate limit');
  const beganMs = performance.now();
  const { calls } = await finish(plan, { spentBefore: [{ agoMs: 0, spends: { run: window.value } }] });
  expect((calls[0]?.startMs ?? 0) - beganMs).toBeGreaterThan(window.windowMs);
  const againMs = performance.now();
  const agoMs = window.windowMs / 2;
  const { calls: later } = await finish(plan, { spentBefore: [{ agoMs, spends: { run: window.value } }] });
  const waitedMs = (later[0]?.startMs ?? 0) - againMs;
  expect(waitedMs).toBeGreaterThan(window.windowMs - agoMs);
  expect(waitedMs).toBeLessThan(window.windowMs - agoMs + 1000);
  const { calls: others } = await finish(plan, { spentBefore: [{ agoMs: 0, spends: { status: window.value } }] });
  expect((others[0]?.startMs ?? 0) - (calls[0]?.endMs ?? 0)).toBeLessThan(window.windowMs);
});

test('what was announced and never sent keeps nobody waiting', async () => {
  const plan = planFor(['status.concurrency.*']);
  const window = limitFor('requests', 'status');
  if (!window) throw new Error('no rate limit');
  const spending = plan.probes.map((probe) => ({ ...probe, spends: { status: window.value } }));
  const greedy = { ...plan, probes: spending };
  const lastStartMs = async (behave: (probe: Probe, env: ProbeEnvironment) => Promise<string>) => {
    const beganMs = performance.now();
    const { calls } = await finish(greedy, { behave });
    expect(calls.length).toBeGreaterThan(1);
    return Math.max(...calls.map(({ startMs }) => startMs)) - beganMs;
  };
  const thrifty = async (probe: Probe, env: ProbeEnvironment) => {
    await exact(probe, env);
    return ledgerOf(line('setup', 'run', 1), line('within', 'stream', 2));
  };
  const lasting = Math.max(...plan.probes.map(({ estimateMs }) => estimateMs));
  expect(await lastStartMs(cutShort)).toBeGreaterThan(window.windowMs);
  expect(await lastStartMs(thrifty)).toBeGreaterThan(window.windowMs);
  const small = { ...greedy, probes: spending.map((probe) => ({ ...probe, spends: { status: window.value - 1 } })) };
  const { calls } = await finish(small, { behave: thrifty });
  const [first, second] = calls.map(({ startMs }) => startMs).sort((a, b) => a - b);
  expect((second ?? 0) - (first ?? 0)).toBeLessThan(lasting + 100);
});

test('as long as estimates hold, the schedule is kept', async () => {
  const plan = planFor();
  const beganMs = performance.now();
  const { calls } = await finish(plan, { behave: asUsual });
  for (const { probeId, startMs } of plan.schedule) {
    const call = calls.find(({ probe }) => probe.id === probeId);
    expect(Math.abs((call?.startMs ?? 0) - beganMs - startMs)).toBeLessThan(20);
  }
});

/** Two that make room at the same moment do so one after the other in a run, and together in a plan: both are right. */
function hasTies(planned: LoadPlan['schedule'], { probes }: LoadPlan, lasts: (probe: Probe) => number): boolean {
  const moments = planned.flatMap(({ probeId, startMs }) => {
    const probe = probes.find(({ id }) => id === probeId);
    if (!probe) return [];
    const preparesMs = preparationOf(probe);
    const preparedMs = preparesMs > 0 && preparesMs < lasts(probe) ? [startMs + preparesMs] : [];
    return [startMs + lasts(probe), ...preparedMs];
  });
  return new Set(moments).size < moments.length;
}

/** One that takes so much longer than expected that a rate probe is put off, which no schedule knows of. */
function hasPutOffs(planned: LoadPlan['schedule'], { probes }: LoadPlan): boolean {
  const all = planned.flatMap(({ probeId, ...times }) =>
    probes.filter(({ id }) => id === probeId).map((probe) => ({ probe, ...times })),
  );
  return all.some((one) =>
    all.some((other) => {
      const meet = one !== other && one.startMs < other.endMs && other.startMs < one.endMs;
      const missed = ({ other: late, atMs }: Deadline) => [one, other].some((x) => x.probe === late && x.endMs > atMs);
      return meet && deadlinesOf(one, other).some(missed);
    }),
  );
}

test('however long the probes take, they start when the rules of the plan let them', async () => {
  const plan = planFor();
  const gangs = plan.stages.map(({ probeIds }) => plan.probes.filter(({ id }) => probeIds.includes(id)));
  const turns = new Turns(gangs, plan.schedule, plan.table);
  const property = fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 10, max: 20_000 })), async (stream) => {
    const durations = new Map(plan.probes.map(({ id }) => [id, stream.next().value ?? 1]));
    const lasts = ({ id }: Probe) => durations.get(id) ?? 1;
    const spends = { run: 500 };
    const spentBefore = [{ agoMs: 0, spends }];
    const spent = (probe: PlannedProbe) => probe.spends;
    const planned = schedule(gangs, plan.table, { before: [{ spends, endMs: 0 }], lasts, spent, turns });
    fc.pre(!hasTies(planned, plan, lasts) && !hasPutOffs(planned, plan));
    const beganMs = performance.now();
    const behave = async (probe: Probe, env: ProbeEnvironment) => {
      return cutShort({ ...probe, estimateMs: lasts(probe) }, env);
    };
    const { calls } = await finish(plan, { behave, spentBefore });
    for (const { probeId, startMs } of planned) {
      const call = calls.find(({ probe }) => probe.id === probeId);
      expect(Math.abs((call?.startMs ?? 0) - beganMs - startMs)).toBeLessThan(100);
    }
  });
  await fc.assert(property, { numRuns: 20, maxSkipsPerRun: 1000 });
}, 30_000);
