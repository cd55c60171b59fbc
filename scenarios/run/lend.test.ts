/** Time that the load has to spare: who is told of it, when, and until when. Time is faked. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silent } from '../../schemas/progress.ts';
import { planLoad } from '../plan/index.ts';
import { quick, usual } from '../plan/testing/targets.ts';
import type { LoadPlan } from '../plan/types.ts';
import { type LoadInput, runLoad } from '../run.ts';
import { ledgerOf, rateLedger, recorder } from './testing/fake-execute.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const planFor = (only: readonly string[] = []): LoadPlan =>
  planLoad({ target: usual, profile: 'gate', only, calibration: quick });

/** Carries the plan out with probes that take as long as was estimated. */
async function finish(plan: LoadPlan, inIdle: NonNullable<LoadInput['inIdle']>) {
  const { calls, execute } = recorder(async (probe, env) => {
    env.prepared?.();
    await new Promise((resolve) => setTimeout(resolve, probe.estimateMs));
    return probe.parameters.kind === 'rate' ? rateLedger(probe, probe.parameters.limit) : ledgerOf();
  });
  const credentials = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };
  const { signal } = new AbortController();
  const whole = { plan, credentials, runId: 'r', k6Bin: 'k6', dir: 'dir', progress: silent, signal, inIdle };
  const running = runLoad(whole, execute);
  await vi.runAllTimersAsync();
  await running;
  return calls;
}

test('while only rate probes are left and wait for idle windows, the machine is lent until the first starts', async () => {
  const plan = planFor(['*.rate.guarantee']);
  const requested: { readonly atMs: number; readonly untilMs: Promise<number> }[] = [];
  const inIdle = async (until: AbortSignal) => {
    const untilMs = new Promise<number>((resolve) =>
      until.addEventListener('abort', () => resolve(performance.now()), { once: true }),
    );
    requested.push({ atMs: performance.now(), untilMs });
    await untilMs;
  };
  const calls = await finish(plan, inIdle);
  expect(requested).toHaveLength(1);
  for (const { atMs, untilMs } of requested) {
    expect(await untilMs).toBeLessThanOrEqual(Math.min(...calls.map(({ startMs }) => startMs)));
    expect((await untilMs) - atMs).toBeGreaterThan(1000);
  }
});

test('without a budget to wait for, no time is lent', async () => {
  const inIdle = vi.fn(async () => {});
  await finish(planFor(['*.payload.*', 'run.concurrency.*']), inIdle);
  expect(inIdle).not.toHaveBeenCalled();
});
