/** Facts of paced phases -> the rows of the results: latency by operation and status class, and load as it was achieved. */
import type { LoadFacts } from '../../schemas/facts.ts';
import {
  type Distribution,
  type PacedPhase,
  type Percentiles,
  percentileNames,
  type ResultAchieved,
  type ResultLatency,
  statusClasses,
} from '../../schemas/latency.ts';
import type { LatencySamples } from '../../schemas/samples.ts';
import { hundredths, missingPercentiles, percentilesOf } from './percentiles.ts';

// How many of a latency took how long, in bins that are each a quarter longer than the one before: a stall of a second
// and responses of a millisecond are both in it, and two humps stay two, unlike in percentiles alone.

const PER_DECADE = 10;
/** Quicker ones are in the first bin: our clocks can't distinguish them. */
const LEAST_MS = 0.01;
/** Of fewer values every one would be a hump. */
export const VALUES_NEEDED = 20;

const edge = (bin: number): number => Number((10 ** (bin / PER_DECADE)).toPrecision(4));

function binOf(ms: number): number {
  const near = Math.floor(Math.log10(Math.max(LEAST_MS, ms)) * PER_DECADE);
  if (ms >= edge(near + 1)) return near + 1;
  return near > Math.log10(LEAST_MS) * PER_DECADE && ms < edge(near) ? near - 1 : near;
}

/**
 * Of the times in hundredths, so that those that were kept make the same one.
 *
 * @param values milliseconds, sorted
 * @returns undefined of too few
 */
export function distributionOf(values: Float64Array): Distribution | undefined {
  if (values.length < VALUES_NEEDED) return undefined;
  const [first = 0, last = 0] = [values[0] ?? 0, values.at(-1) ?? 0].map((ms) => binOf(hundredths(ms)));
  const counts = new Array<number>(last - first + 1).fill(0);
  for (const ms of values) {
    const place = binOf(hundredths(ms)) - first;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return { edgesMs: Array.from({ length: counts.length + 1 }, (_, index) => edge(first + index)), counts };
}

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
