/**
 * Runs one probe: sends and analyses. Any error becomes facts about the checks concerned; nothing is thrown and nothing
 * swallowed.
 */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import type { Progress } from '../../schemas/progress.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import type { Probe } from '../probe.ts';
import { analyse } from './analyse.ts';
import { failed, interrupted, isComplete } from './spent.ts';

/** Sends a probe and returns its ledger, as it was written or, where `L` says so, read. */
export type Execute<L = string> = (probe: Probe, env: ProbeEnvironment) => Promise<L>;

export interface CarryOutEnvironment extends Omit<ProbeEnvironment, 'progress'> {
  readonly progress: Progress;
  readonly execute: Execute<Ledger>;
}

export async function carryOut(probe: Probe, env: CarryOutEnvironment): Promise<LoadFacts> {
  try {
    const ledger = await send(probe, env);
    if (env.signal.aborted && !isComplete(ledger)) return interrupted(probe);
    return analyse(probe, ledger);
  } catch (error) {
    return env.signal.aborted ? interrupted(probe) : failed(probe, error);
  }
}

async function send(probe: Probe, { progress, execute, ...env }: CarryOutEnvironment): Promise<Ledger> {
  progress.begin({ id: probe.id, title: probe.title, estimateMs: probe.estimateMs });
  try {
    const ledger = await execute(probe, { ...env, progress: (done) => progress.advance(probe.id, done) });
    progress.end(probe.id);
    return ledger;
  } catch (error) {
    progress.end(probe.id, 'failed');
    throw error;
  }
}
