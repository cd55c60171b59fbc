/** Facts of all probes -> how well the load generator did over the run, and where it fell short, as text. */
import type { GeneratorHealth, Lateness, LoadFacts } from '../../schemas/facts.ts';
import type { GeneratorReport } from '../../schemas/generator.ts';
import { grouped } from '../../schemas/thousands.ts';
import { generatorFault } from './evidence.ts';

/**
 * Slots left out of a paced load, as a share of all. One in a hundred is the margin that the pace keeps below its limit:
 * with more left out the load is another one.
 */
const DROPPED_SHARE = 0.01;

/**
 * Processors left over a whole probe, as a share. A burst may well take all there are for a moment; a machine on which
 * hardly any are left throughout sends when it gets round to it.
 */
const IDLE_SHARE = 0.1;

/** undefined where no load was sent. */
export const generatorReport = (facts: readonly LoadFacts[]): GeneratorReport | undefined =>
  generatorReportOf(facts.flatMap((one) => ('health' in one ? [one.health] : [])));

/** The same of probes that may be of several runs. */
export function generatorReportOf(probes: readonly GeneratorHealth[]): GeneratorReport | undefined {
  if (probes.length === 0) return undefined;
  const sum = (of: (health: GeneratorHealth) => number) => probes.reduce((total, one) => total + of(one), 0);
  const known = (of: (health: GeneratorHealth) => number | null | undefined) => probes.flatMap((one) => of(one) ?? []);
  return {
    probes,
    whole: {
      sent: sum(({ sent }) => sent),
      unanswered: sum(({ unanswered }) => unanswered),
      dropped: sum(({ dropped = 0 }) => dropped),
      lateness: latest(probes),
      leastIdleShare: least(known(({ machine }) => machine?.leastIdleShare)),
      loopLagMs: most(known(({ machine }) => machine?.loopLagMs)),
      peakBytes: most(known(({ machine }) => machine?.peakBytes)),
      clockStepMs: probes.reduce((far, one) => (Math.abs(one.clockStepMs) > Math.abs(far) ? one.clockStepMs : far), 0),
    },
    shortfalls: probes.flatMap((health) => shortfallsOf(health).map((what) => `${health.probe ?? 'a probe'}: ${what}`)),
  };
}

const least = (values: readonly number[]): number | null => (values.length > 0 ? Math.min(...values) : null);
const most = (values: readonly number[]): number | null => (values.length > 0 ? Math.max(...values) : null);

function latest(probes: readonly GeneratorHealth[]): Omit<Lateness, 'roomMs'> | null {
  const all = probes.flatMap(({ lateness }) => lateness ?? []).sort((a, b) => b.p99Ms - a.p99Ms);
  if (!all[0]) return null;
  const { scheduled, p50Ms, p95Ms, p99Ms, maxMs } = all[0];
  return { scheduled, p50Ms, p95Ms, p99Ms, maxMs };
}

function shortfallsOf(health: GeneratorHealth): string[] {
  const { dropped = 0, lateness, machine } = health;
  const fault = generatorFault(health);
  const slots = dropped + (lateness?.scheduled ?? 0);
  const idle = machine?.idleShare ?? 1;
  return [
    ...(fault ? [fault] : []),
    // What a probe that was cut off did not send was not too late.
    ...(!fault && dropped > slots * DROPPED_SHARE
      ? [grouped`${dropped} of ${slots} sends of its pace were left out as too late`]
      : []),
    ...(idle < IDLE_SHARE ? [grouped`only ${Math.round(idle * 100)} % of this machine's processors were left`] : []),
  ];
}
