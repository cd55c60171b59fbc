/**
 * The reference under load, as it was recorded: a second load beside each run would take minutes and disturb the
 * first. A test of the whole keeps the record true (`npx vitest run --project alone test/verify.e2e.test.ts -u`).
 */
import type { OperationId } from '../../schemas/operations.ts';
import type { ResultCheck, ResultLimit } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { measuredWords } from '../limit-words.ts';
import type { PlacedDifference } from './gather.ts';
import recorded from './reference-load.json' with { type: 'json' };
import { name } from './sentences.ts';

export interface RecordedCheck {
  readonly verdict: Verdict;
  readonly observed: string;
}

export interface RecordedLimit {
  readonly documented: number;
  readonly lower: number;
  readonly upper: number | null;
  readonly algorithm?: string;
}

export const recordedChecks = recorded.checks as Readonly<Record<string, RecordedCheck>>;
export const recordedLimits: Readonly<Record<string, RecordedLimit>> = recorded.limits;

/** What the reference answered to a load check; undefined where it was never asked. */
export const recordedAnswer = (id: string): RecordedCheck | undefined =>
  Object.hasOwn(recordedChecks, id) ? recordedChecks[id] : undefined;

function measuredApart(limit: ResultLimit, recorded: RecordedLimit): boolean {
  if (!limit.measured || limit.documented.value !== recorded.documented) return false;
  const above = recorded.upper !== null && limit.measured.lower > recorded.upper;
  const below = limit.measured.upper !== null && limit.measured.upper < recorded.lower;
  return above || below;
}

function limitDifferences(limit: ResultLimit): PlacedDifference[] {
  const recorded = Object.hasOwn(recordedLimits, limit.id) ? recordedLimits[limit.id] : undefined;
  const operation: OperationId | null = limit.operations[0] ?? null;
  if (!recorded) return [];
  const placed = { operation, request: limit.operations.join(', '), aspect: ['measured'] };
  const theirs = measuredWords({ ...limit, measured: { lower: recorded.lower, upper: recorded.upper } });
  const { algorithm } = limit;
  const named = algorithm !== undefined && algorithm !== 'unknown' && recorded.algorithm !== undefined;
  return [
    ...(measuredApart(limit, recorded)
      ? [{ ...placed, text: `measured ${measuredWords(limit)}, the reference ${theirs}` }]
      : []),
    ...(named && algorithm !== recorded.algorithm
      ? [{ ...placed, text: `limits as ${name(algorithm)}, the reference as ${name(recorded.algorithm ?? '')}` }]
      : []),
  ];
}

/** Differences of the limits, by the check of theirs that is worst off, else by the first. */
export function loadDifferences(
  checks: readonly ResultCheck[],
  limits: readonly ResultLimit[],
): Map<string, PlacedDifference[]> {
  const found = limits.flatMap((limit): [string, PlacedDifference[]][] => {
    const own = checks.filter(({ id }) => limit.checks.includes(id));
    const bearer =
      own.find(({ verdict }) => verdict === 'fail') ?? own.find(({ verdict }) => verdict === 'warn') ?? own[0];
    const list = limitDifferences(limit);
    return bearer && list.length > 0 ? [[bearer.id, list]] : [];
  });
  return new Map(found);
}
