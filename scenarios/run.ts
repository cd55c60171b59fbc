/**
 * Carries out a plan: starts each probe as soon as what it needs is free, in the planned order, by events and not by
 * the planned clock, so that a probe that takes longer than expected delays others but never disturbs them.
 */
import type { LoadFacts } from '../schemas/facts.ts';
import type { Progress } from '../schemas/progress.ts';
import type { Credentials } from '../schemas/target.ts';
import { executeProbe } from './execute/index.ts';
import type { LoadPlan, PlannedProbe } from './plan/types.ts';
import { type Execute, type GangEnvironment, runGang } from './run/gang.ts';
import { interrupted } from './run/missing.ts';
import { type Finished, type Gang, readyAt } from './schedule.ts';

export interface LoadInput {
  readonly plan: LoadPlan;
  readonly credentials: Credentials;
  /** Stands in everything that is sent. */
  readonly runId: string;
  readonly k6Bin: string;
  /** The run's directory; ledgers and logs go to `ledger/` and `k6/` in it. */
  readonly dir: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const WHOLE = 'load';

/** How long stopped probes get to cancel their own jobs before they are given up, ms. */
const CLEAN_UP_MS = 15_000;

/**
 * Runs the whole plan. Resolves with facts for every declared check, also when it is aborted: what was not done says
 * so. Rejects only on a plan that names a probe it does not contain.
 *
 * @param execute for tests: what sends a probe and returns its ledger
 */
export async function runLoad(input: LoadInput, execute: Execute = executeProbe): Promise<LoadFacts[]> {
  const { plan, progress, signal } = input;
  const missing: LoadFacts[] = plan.unobservable.map((one) => ({ kind: 'missing', ...one }));
  const { target } = plan;
  const { credentials, runId, k6Bin, dir } = input;
  const env: GangEnvironment = { target, credentials, runId, k6Bin, dir, signal, progress, execute };
  if (plan.probes.length === 0) return missing;
  // The one task that tells how much of everything is left; the probes come and go below it.
  progress.begin({ id: WHOLE, title: 'load: probes', total: plan.probes.length, estimateMs: plan.durationMs });
  const facts = await runAll(plan, env);
  progress.end(WHOLE, signal.aborted ? 'stopped' : undefined);
  return [...missing, ...facts];
}

function gangsOf({ stages, probes }: LoadPlan): Gang[] {
  return stages.map(({ probeIds }) =>
    probeIds.map((id): PlannedProbe => {
      const probe = probes.find((one) => one.id === id);
      if (!probe) throw new Error(`the plan has a stage with '${id}', but no such probe`);
      return probe;
    }),
  );
}

async function runAll(plan: LoadPlan, env: GangEnvironment): Promise<LoadFacts[]> {
  const gangs = gangsOf(plan);
  const { signal, progress } = env;
  const facts = new Map<Gang, LoadFacts[]>();
  const finished: Finished[] = [];
  const running = new Map<Gang, Promise<void>>();
  let pending = [...gangs];
  const start = async (gang: Gang): Promise<void> => {
    facts.set(gang, await runGang(gang, env));
    running.delete(gang);
    finished.push(...gang.map((probe) => ({ probe, endMs: performance.now() })));
    progress.advance(WHOLE, finished.length);
  };
  while (!signal.aborted && (pending.length > 0 || running.size > 0)) {
    const nowMs = performance.now();
    const ready = (gang: Gang) =>
      readyAt(gang, { running: [...running.keys()].flat(), finished, table: plan.table }, nowMs);
    const next = pending.find((gang) => ready(gang) <= nowMs);
    if (next) {
      pending = pending.filter((gang) => gang !== next);
      running.set(next, start(next));
      continue;
    }
    const soonest = Math.min(...pending.map(ready));
    await firstOf([...running.values()], soonest - nowMs, signal);
  }
  if (signal.aborted) await firstOf([Promise.all(running.values())], CLEAN_UP_MS);
  return gangs.flatMap((gang) => facts.get(gang) ?? gang.map(interrupted));
}

/** Resolves when one of the promises does, after `ms`, or when the signal is aborted. */
async function firstOf(promises: readonly Promise<unknown>[], ms: number, signal?: AbortSignal): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const timer = Number.isFinite(ms) ? setTimeout(wake, Math.max(1, ms)) : undefined;
  signal?.addEventListener('abort', wake);
  try {
    await Promise.race([woken, ...promises]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', wake);
  }
}
