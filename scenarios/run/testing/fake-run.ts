/** Whole loads with a made-up sender and a faked clock: plans, what probes do, and how to carry it all out. */
import { vi } from 'vitest';
import { type Progress, silent } from '../../../schemas/progress.ts';
import type { ProbeEnvironment } from '../../execute/environment.ts';
import { planLoad } from '../../plan/index.ts';
import { quick, usual } from '../../plan/testing/targets.ts';
import type { LoadPlan, PlannedProbe } from '../../plan/types.ts';
import type { Probe } from '../../probe.ts';
import { type LoadInput, runLoad } from '../../run.ts';
import { ledgerOf, line, mark, rateLedger, recorder } from './fake-execute.ts';

export const planFor = (only: readonly string[] = [], target = usual): LoadPlan =>
  planLoad({ target, profile: 'gate', only, calibration: quick });

export const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const preparationOf = (probe: Probe): number =>
  ('early' in probe ? (probe as PlannedProbe).early?.estimateMs : 0) ?? 0;

/** Of a probe that was cut short: all that was planned may have been spent. */
export const cutShort = async (probe: Probe, env: ProbeEnvironment): Promise<string> => {
  await exact(probe, env);
  return mark('start');
};

/** Spends what is usual, and no less. */
export async function asUsual(probe: Probe, env: ProbeEnvironment): Promise<string> {
  await exact(probe, env);
  const { spends, usually = spends } = probe as PlannedProbe;
  const sent = Object.entries(usually).flatMap(([budget, count = 0]) =>
    Array.from({ length: count }, () => line('sent', budget === 'inference' ? 'chat' : budget, 1)),
  );
  return probe.parameters.kind === 'rate' ? mark('start') : ledgerOf(...sent);
}

/** Takes as long as was estimated, and sees every limit exactly kept. */
export async function exact(probe: Probe, env?: ProbeEnvironment): Promise<string> {
  const preparesMs = Math.min(preparationOf(probe), probe.estimateMs);
  await after(preparesMs);
  // One that is over by then has nothing to report: to the plan there is no moment between the two.
  if (preparesMs < probe.estimateMs) env?.prepared?.();
  await after(probe.estimateMs - preparesMs);
  return probe.parameters.kind === 'rate' ? rateLedger(probe, probe.parameters.limit) : ledgerOf();
}

export interface Run {
  readonly behave?: (probe: Probe, env: ProbeEnvironment) => Promise<string>;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
  readonly spentBefore?: LoadInput['spentBefore'];
}

export function start(
  plan: LoadPlan,
  { behave = exact, progress = silent, signal = new AbortController().signal, spentBefore = [] }: Run = {},
) {
  const { calls, execute } = recorder(behave);
  const credentials = { accessKey: 'secret-a', jobKey: 'secret-b', brokeKey: null, otherKey: null };
  const facts = runLoad(
    {
      plan,
      credentials,
      runId: 'r',
      k6Bin: 'k6',
      dir: 'dir',
      progress,
      signal,
      spentBefore,
    },
    execute,
  );
  return { calls, facts };
}

export async function finish(plan: LoadPlan, run: Run = {}) {
  const started = start(plan, run);
  await vi.runAllTimersAsync();
  return { calls: started.calls, facts: await started.facts };
}
