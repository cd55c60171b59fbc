/** Rate probes that begin to wait while others are still at what they will need. Time is faked. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Progress, silent } from '../../schemas/progress.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import type { Probe } from '../probe.ts';
import { mark } from './testing/fake-execute.ts';
import { after, exact, finish, planFor } from './testing/fake-run.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const planned = planFor(['*.rate.guarantee', '*.rate.enforced', 'cancel.concurrency.*']);
/** As if its burst had to come behind many others. */
const LATER_MS = 6000;
const plan = {
  ...planned,
  probes: planned.probes.map((probe) =>
    probe.id === 'cancel.rate' && probe.idle
      ? {
          ...probe,
          idle: { spentMs: probe.idle.spentMs + LATER_MS, loudMs: probe.idle.loudMs + LATER_MS },
          estimateMs: probe.estimateMs + LATER_MS,
        }
      : probe,
  ),
};
const leadOf = (id: string): number => plan.probes.find((one) => one.id === id)?.idle?.spentMs ?? 0;

/** What has to be left of it when it is stopped. */
async function untilStopped({ signal }: ProbeEnvironment): Promise<string> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await after(200);
  return mark('start');
}

const lasting = (lastsMs: number) => async (probe: Probe, env: ProbeEnvironment) => {
  if (probe.id === 'cancel.concurrency') {
    env.prepared?.();
    await after(lastsMs);
    return exact({ ...probe, estimateMs: 0 });
  }
  return Promise.race([exact(probe, env), untilStopped(env)]);
};

test('it begins to wait beside what is over long before its budget has to be unspent', async () => {
  expect(leadOf('cancel.rate')).toBeGreaterThan(5000);
  const { calls, facts } = await finish(plan, { behave: lasting(3000) });
  const rates = calls.filter(({ probe }) => probe.parameters.kind === 'rate');
  const other = calls.find(({ probe }) => probe.id === 'cancel.concurrency');
  expect(rates).toHaveLength(6);
  for (const { startMs, endMs } of rates) {
    expect(startMs).toBeLessThan(other?.endMs ?? 0);
    expect(endMs).toBeGreaterThan((other?.endMs ?? 0) + 10_000);
  }
  expect(facts.filter(({ kind }) => kind === 'missing')).toEqual([]);
});

test('one whose idle window another would still be in is put off, and has its turn later', async () => {
  const ended: string[] = [];
  const progress: Progress = { ...silent, end: (id, note) => ended.push(`${id} ${note ?? ''}`.trim()) };
  const { calls, facts } = await finish(plan, { behave: lasting(30_000), progress });
  const runs = calls.filter(({ probe }) => probe.id === 'cancel.rate');
  const others = calls.filter(({ probe }) => probe.parameters.kind === 'rate' && probe.id !== 'cancel.rate');
  const [first, second] = runs;
  expect(runs).toHaveLength(2);
  expect((first?.endMs ?? 0) - (first?.startMs ?? 0)).toBe(leadOf('cancel.rate') + 200);
  // Its burst might meet those of the others, whose moments are settled.
  expect(second?.startMs).toBeGreaterThanOrEqual(Math.max(...others.map(({ endMs }) => endMs)));
  expect(others).toHaveLength(5);
  for (const { probe, startMs, endMs } of others) expect(endMs - startMs).toBeGreaterThanOrEqual(probe.estimateMs);
  expect(facts.filter(({ kind }) => kind === 'missing')).toEqual([]);
  expect(facts.filter(({ kind }) => kind === 'rate')).toHaveLength(6);
  expect(ended.filter((one) => one.startsWith('cancel.rate'))).toEqual(['cancel.rate put off', 'cancel.rate']);
});

test('stopped while one is put off, the run says of it that it was interrupted', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20_000);
  const { facts } = await finish(plan, { behave: lasting(30_000), signal: controller.signal });
  const missing = facts.flatMap((one) => (one.kind === 'missing' ? [one] : []));
  expect(missing.flatMap(({ checkIds }) => checkIds)).toContain('cancel.rate.guarantee');
  for (const { outcome } of missing) expect(outcome).toMatchObject({ kind: 'skipped', by: 'interrupt' });
});
