/** Ledger of any probe -> facts. */
import type { GeneratorHealth, LoadFacts, RunnersHealth } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import type { RunnerPart } from '../../schemas/ledger-runner.ts';
import { pacedPhases, schedulesOf } from '../analysis/latency.ts';
import { latestMs, slots, slotsIn } from '../k6/lib/schedule.ts';
import { kindOf } from '../kinds/index.ts';
import type { Probe } from '../probe.ts';

/**
 * @param parts in any order
 * @param mayBeginMs after the common start, at most, so that all still do at its time what was planned
 */
export function runnersHealth(parts: readonly RunnerPart[], mayBeginMs: number): RunnersHealth | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const isOurs = ({ count, runId, startAtMs }: RunnerPart): boolean =>
    count === first.count && runId === first.runId && startAtMs === first.startAtMs;
  const name = (index: number): string => `runner ${index + 1} of ${first.count}`;
  const own = parts.filter(isOurs);
  const faults: string[] = [];
  if (own.length < parts.length) faults.push(`${parts.length - own.length} ledgers are of another run`);
  for (let index = 0; index < first.count; index += 1) {
    const [one, ...others] = own.filter((part) => part.index === index);
    if (!one) faults.push(`${name(index)} left no ledger`);
    else if (others.length > 0) faults.push(`${name(index)} left ${others.length + 1} ledgers`);
    else if (!one.complete) faults.push(`the ledger of ${name(index)} has no end`);
    else if (one.beganMs > mayBeginMs)
      faults.push(`${name(index)} came ${seconds(one.beganMs - mayBeginMs)} s too late`);
  }
  const began = own.map(({ beganMs }) => beganMs);
  return {
    count: first.count,
    skewMs: Math.round(Math.max(...began) - Math.min(...began)),
    errorMs: Math.round(Math.max(...own.map(({ errorMs }) => errorMs)) * 10) / 10,
    faults,
  };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/**
 * What the plan knows of a probe and its ledger does not: which probe it was, how many slots its schedule had, and how
 * far apart the lateness of its sends may be. It goes into the health of the facts, where the verdicts read it.
 */
export function withPlannedPace({ id, parameters }: Probe, facts: LoadFacts): LoadFacts {
  if (facts.kind === 'missing') return facts;
  const { health } = facts;
  if (parameters.kind === 'rate' && facts.kind === 'rate') {
    const { paces, limit, windowMs } = parameters;
    const [pace] = paces;
    const dropped = Math.max(0, slotsIn(paces) - facts.pace.sent);
    return { ...facts, health: { ...paced(health, dropped, pace && latestMs(pace, limit, windowMs)), probe: id } };
  }
  if (parameters.kind === 'unlimited' && facts.kind === 'unlimited') {
    const { periodMs, durationMs } = parameters;
    const dropped = Math.max(0, slots({ fromMs: 0, periodMs, untilMs: durationMs }) - facts.part.sent);
    // However unevenly it comes, more than any limit at once is what it is about.
    return { ...facts, health: { ...paced(health, dropped), probe: id } };
  }
  return { ...facts, health: { ...health, probe: id } };
}

function paced(health: GeneratorHealth, dropped: number, roomMs?: number): GeneratorHealth {
  const { lateness } = health;
  if (!lateness || roomMs === undefined) return { ...health, dropped };
  return { ...health, dropped, lateness: { ...lateness, roomMs } };
}

/**
 * The latency of a probe's paced phases in addition to the facts of its limit: the same ledger, read for another
 * question.
 */
export function withPaced({ parameters }: Probe, ledger: Ledger, facts: LoadFacts): LoadFacts {
  if (facts.kind !== 'rate' && facts.kind !== 'unlimited') return facts;
  const schedules = schedulesOf(parameters);
  return schedules.length === 0 ? facts : { ...facts, paced: pacedPhases(ledger.rows, schedules) };
}

/** Throws what the analysis throws. */
export function analyse(probe: Probe, ledger: Ledger): LoadFacts {
  const { parameters } = probe;
  const kind = kindOf(parameters);
  const facts = kind.analyse(parameters, ledger, kind.least(parameters));
  return withRunners(withPaced(probe, ledger, withPlannedPace(probe, facts)), probe, ledger);
}

function withRunners(facts: LoadFacts, { parameters }: Probe, { runners: parts = [] }: Ledger): LoadFacts {
  const runners = runnersHealth(parts, kindOf(parameters).togetherFromMs?.(parameters) ?? 0);
  return runners && 'health' in facts ? { ...facts, health: { ...facts.health, runners } } : facts;
}
