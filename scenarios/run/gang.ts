/**
 * Carries out probes that start together: sends and analyses. Whatever goes wrong becomes facts about the checks
 * concerned; nothing is thrown and nothing swallowed.
 */
import { setMaxListeners } from 'node:events';
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import type { Progress } from '../../schemas/progress.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import type { PlannedProbe } from '../plan/types.ts';
import type { Probe } from '../probe.ts';
import type { Gang } from '../schedule.ts';
import { analyse } from './analyse.ts';
import { failed, interrupted } from './missing.ts';
import { isComplete } from './spent.ts';

/** Sends a probe and returns its ledger, as it was written or, where `L` says so, read. */
export type Execute<L = string> = (probe: Probe, env: ProbeEnvironment) => Promise<L>;

export interface GangEnvironment extends Omit<ProbeEnvironment, 'progress' | 'prepared'> {
  readonly progress: Progress;
  readonly execute: Execute<Ledger>;
  /** Told which probe is past its preparation. */
  prepared(probeId: string): void;
  /** Aborted when that probe must not go on now, and is to be carried out later; default: none is. */
  putOff?(probeId: string): AbortSignal;
}

export interface GangResult {
  readonly facts: readonly LoadFacts[];
  /** Those that were put off, of which there are no facts. */
  readonly putOff: readonly PlannedProbe[];
}

export async function runGang(gang: Gang, env: GangEnvironment): Promise<GangResult> {
  const all = await Promise.all(gang.map((probe) => runUnlessPutOff(probe, env)));
  const putOff = gang.filter((_, index) => all[index] === undefined);
  return { facts: all.filter((one) => one !== undefined), putOff };
}

async function runUnlessPutOff(probe: PlannedProbe, env: GangEnvironment): Promise<LoadFacts | undefined> {
  const off = env.putOff?.(probe.id);
  if (!off) return runProbe(probe, env);
  const signal = AbortSignal.any([env.signal, off]);
  // Each of its requests listens to it; that is no leak to warn about.
  setMaxListeners(0, signal);
  const isPutOff = (): boolean => off.aborted && !env.signal.aborted;
  const end: Progress['end'] = (id, note) => env.progress.end(id, isPutOff() ? 'put off' : note);
  const done = await runProbe(probe, { ...env, signal, progress: { ...env.progress, end } });
  return isPutOff() ? undefined : done;
}

async function runProbe(probe: Probe, env: GangEnvironment): Promise<LoadFacts> {
  try {
    const ledger = await send(probe, env);
    if (env.signal.aborted && !isComplete(ledger)) return interrupted(probe);
    return analyse(probe, ledger);
  } catch (error) {
    return env.signal.aborted ? interrupted(probe) : failed(probe, error);
  }
}

async function send(probe: Probe, { progress, execute, prepared, ...env }: GangEnvironment): Promise<Ledger> {
  progress.begin({ id: probe.id, title: probe.title, estimateMs: probe.estimateMs });
  try {
    const ledger = await execute(probe, {
      ...env,
      progress: (done) => progress.advance(probe.id, done),
      prepared: () => prepared(probe.id),
    });
    progress.end(probe.id);
    return ledger;
  } catch (error) {
    progress.end(probe.id, 'failed');
    throw error;
  }
}
