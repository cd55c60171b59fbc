/** When probes start: as the plan says where estimates hold, and whatever was spent before or takes longer. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import type { Probe } from '../probe.ts';
import { ledgerOf, line } from './testing/fake-execute.ts';
import { asUsual, cutShort, exact, finish, planFor } from './testing/fake-run.ts';

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

test('a probe that was announced and never sent keeps nothing waiting', async () => {
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
