/**
 * Carries out probes that start together: sends, analyses, and sends the second bursts that the first ones made
 * necessary. Whatever goes wrong becomes facts about the checks concerned; nothing is thrown and nothing swallowed.
 */
import { setMaxListeners } from 'node:events';
import type { LoadFacts, RateFacts } from '../../schemas/facts.ts';
import type { Progress } from '../../schemas/progress.ts';
import { needsConfirmation, wantsWhole } from '../analysis/index.ts';
import type { ProbeEnvironment } from '../execute/environment.ts';
import { isRate } from '../plan/stages.ts';
import type { PlannedProbe } from '../plan/types.ts';
import type { Probe } from '../probe.ts';
import type { Gang } from '../schedule.ts';
import { analyse } from './analyse.ts';
import { failed, interrupted } from './missing.ts';
import { type FirstBurst, isComplete, type RateProbe, secondBursts } from './second-burst.ts';

export type Execute = (probe: Probe, env: ProbeEnvironment) => Promise<string>;

export interface GangEnvironment extends Omit<ProbeEnvironment, 'progress' | 'prepared'> {
  readonly progress: Progress;
  readonly execute: Execute;
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

/** A probe that was carried out, or why not. */
type Done = { readonly probe: Probe; readonly facts: LoadFacts } & { readonly first?: FirstBurst };

export async function runGang(gang: Gang, env: GangEnvironment): Promise<GangResult> {
  const all = await Promise.all(gang.map((probe) => runUnlessPutOff(probe, env)));
  const putOff = gang.filter((_, index) => all[index] === undefined);
  const done = all.filter((one) => one !== undefined);
  return { facts: await confirmed(done, env), putOff };
}

async function confirmed(done: readonly Done[], env: GangEnvironment): Promise<LoadFacts[]> {
  const unsure = done.flatMap(({ facts, first }) => (facts.kind === 'rate' && first && isUnsure(facts) ? first : []));
  if (unsure.length === 0 || env.signal.aborted) return done.map(({ facts }) => facts);
  const second = await confirm(unsure, env);
  return done.flatMap(({ probe, facts }) => second.get(probe.id) ?? facts);
}

/** Where nothing in the ledger could tell, there is nothing to confirm either. */
const isUnsure = (facts: RateFacts): boolean => facts.health.complete && needsConfirmation(facts);

async function runUnlessPutOff(probe: PlannedProbe, env: GangEnvironment): Promise<Done | undefined> {
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

async function runProbe(probe: Probe, env: GangEnvironment): Promise<Done> {
  const launchedAtMs = Date.now();
  try {
    const ledger = await send(probe, env);
    if (env.signal.aborted && !isComplete(ledger)) return { probe, facts: interrupted(probe) };
    const facts = analyse(probe, ledger);
    return {
      probe,
      facts,
      ...(isRate(probe)
        ? { first: { probe, ledger, launchedAtMs, whole: facts.kind === 'rate' && wantsWhole(facts) } }
        : {}),
    };
  } catch (error) {
    return { probe, facts: env.signal.aborted ? interrupted(probe) : failed(probe, error) };
  }
}

async function send(probe: Probe, { progress, execute, prepared, ...env }: GangEnvironment): Promise<string> {
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

/** Second bursts, all together again; returns new facts by the id of the first probe. */
async function confirm(firsts: readonly FirstBurst[], env: GangEnvironment): Promise<Map<string, LoadFacts[]>> {
  const seconds = secondBursts(firsts, Date.now());
  const pairs = seconds.map(async (second): Promise<[string, LoadFacts[]]> => {
    const first = firsts.find(({ probe }) => second.id.startsWith(`${probe.id}.`)) as FirstBurst;
    return [first.probe.id, await confirmOne(first, second, env)];
  });
  return new Map(await Promise.all(pairs));
}

/** Without a second burst the first one's facts stand, and the check that needed it says what went wrong. */
async function confirmOne(first: FirstBurst, second: RateProbe, env: GangEnvironment): Promise<LoadFacts[]> {
  const facts = analyse(first.probe, first.ledger);
  try {
    const ledger = await send(second, env);
    if (!isComplete(ledger)) throw new Error('the second burst was cut short');
    return [analyse(first.probe, first.ledger, ledger)];
  } catch (error) {
    if (env.signal.aborted) return [facts];
    const enforced = first.probe.checkIds.filter((id) => id === `${first.probe.parameters.limitId}.enforced`);
    return enforced.length > 0 ? [facts, failed(second, error, enforced)] : [facts];
  }
}
