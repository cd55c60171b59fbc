/** Facts of paced phases -> the rows of the results: latency by operation and status class, and load as it was achieved. */
import type { LoadFacts } from '../../schemas/facts.ts';
import {
  type PacedPhase,
  type Percentiles,
  percentileNames,
  type ResultAchieved,
  type ResultLatency,
  statusClasses,
} from '../../schemas/latency.ts';
import type { LatencySamples } from '../../schemas/samples.ts';
import { distributionOf } from './distribution.ts';
import { missingPercentiles, percentilesOf } from './percentiles.ts';

/** A paced phase and the probe it belongs to. */
export interface ProbePhase {
  readonly probe: string;
  readonly phase: PacedPhase;
}

export function phasesIn(facts: readonly LoadFacts[]): ProbePhase[] {
  return facts.flatMap((one) => {
    if (one.kind !== 'rate' && one.kind !== 'unlimited') return [];
    const probe = one.health.probe ?? (one.kind === 'rate' ? one.limitId : `${one.operation}.unlimited`);
    return (one.paced ?? []).map((phase) => ({ probe, phase }));
  });
}

/** By operation in the order given, then by status class; of every request of a paced phase, whichever probe sent it. */
export const latencyRows = (facts: readonly LoadFacts[]): ResultLatency[] =>
  latencyRowsOf(phasesIn(facts).flatMap(({ phase }) => phase.requests));

/** The same of samples that were kept. */
export function latencyRowsOf(all: readonly LatencySamples[]): ResultLatency[] {
  const names = [...new Set(all.map(({ operation }) => operation))].sort();
  return names.flatMap((operation) =>
    statusClasses.flatMap((statusClass) => {
      const own = all.filter((one) => one.operation === operation && one.statusClass === statusClass);
      return latencyRow(own) ?? [];
    }),
  );
}

type Column = 'dueToEndMs' | 'sentToEndMs' | 'sentToFirstByteMs' | 'lateMs' | 'ownLateMs';

/** One column of several groups, sorted. */
export function column<C extends Column>(
  groups: readonly Readonly<Record<C, readonly number[]>>[],
  name: C,
): Float64Array {
  const values = new Float64Array(groups.reduce((count, group) => count + group[name].length, 0));
  let at = 0;
  for (const group of groups) {
    values.set(group[name], at);
    at += group[name].length;
  }
  return values.sort();
}

function latencyRow(groups: readonly LatencySamples[]): ResultLatency | undefined {
  const [first] = groups;
  const times = column(groups, 'dueToEndMs');
  const latency = percentilesOf(times);
  if (!first || !latency) return undefined;
  const { operation, statusClass } = first;
  const requests = groups.reduce((count, { dueToEndMs }) => count + dueToEndMs.length, 0);
  const uncorrected = percentilesOf(column(groups, 'sentToEndMs'));
  const firstByte = statusClass === 'none' ? undefined : percentilesOf(column(groups, 'sentToFirstByteMs'));
  const distribution = distributionOf(times);
  const note = missingPercentiles(requests);
  return {
    operation,
    statusClass,
    requests,
    latency,
    ...(distribution ? { distribution } : {}),
    ...(uncorrected && differs(latency, uncorrected) ? { uncorrected } : {}),
    ...(firstByte ? { firstByte } : {}),
    ...(note ? { note } : {}),
  };
}

const TELLING_SHARE = 0.01;

function differs(corrected: Percentiles, uncorrected: Percentiles): boolean {
  return percentileNames.some((name) => {
    const [one, other] = [corrected[name] ?? 0, uncorrected[name] ?? 0];
    return Math.abs(one - other) > TELLING_SHARE * Math.max(one, other);
  });
}

const SECOND_MS = 1000;
const tenths = (value: number): number => Math.round(value * 10) / 10;

export function achievedRows(facts: readonly LoadFacts[]): ResultAchieved[] {
  return phasesIn(facts).map(({ probe, phase }) => {
    const planned = Object.values(phase.planned).reduce((sum, count) => sum + count, 0);
    const sent = phase.requests.reduce((sum, { lateMs }) => sum + lateMs.length, 0);
    // What came in time took as long as was planned, also where the last moments were left out.
    const tookMs = Math.max(planned * phase.periodMs, phase.tookMs + phase.periodMs);
    const lateness = percentilesOf(column(phase.requests, 'lateMs'));
    return {
      probe,
      phase: phase.phase,
      operations: Object.keys(phase.planned),
      planned,
      sent,
      plannedRate: tenths(SECOND_MS / phase.periodMs),
      achievedRate: tenths((sent * SECOND_MS) / tookMs),
      ...(lateness ? { lateness } : {}),
    };
  });
}
