/**
 * What is new, fixed and still broken from one run to the next. It compares what was seen of the target; whether a
 * baseline excuses it makes no difference, and is added. A check that went from right to wrong is `broken` also where
 * it did not run before: then the run before says nothing against it.
 */
import type {
  ChangeKind,
  Changes,
  CheckChange,
  HistoryLimit,
  LimitChange,
  PastRun,
  Standing,
} from '../../schemas/history.ts';
import type { ResultCheck, ResultLimit, Results } from '../../schemas/results.ts';
import type { ResultCounts } from '../../schemas/results-parts.ts';

/** What was seen of a check, without the excuse that a baseline gives it. */
export const seenOf = ({ verdict, known }: Pick<ResultCheck, 'verdict' | 'known'>): ResultCheck['verdict'] =>
  known?.verdict ?? verdict;

export const bareLimit = ({ id, kind, documented, measured, algorithm, verdict }: ResultLimit): HistoryLimit => ({
  id,
  kind,
  documented,
  measured,
  ...(algorithm ? { algorithm } : {}),
  verdict,
});

export const knownIds = (checks: readonly Pick<ResultCheck, 'id' | 'known'>[]): string[] =>
  checks.flatMap(({ id, known }) => (known ? [id] : []));

/** What two runs are compared by: the standing of each check, which of them is excused, and the limits. */
export interface Side {
  standing(id: string): Standing;
  readonly ids: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly limits: readonly HistoryLimit[];
  /** Checks of which something was seen, or left open. */
  readonly looked: number;
  /** What was last seen of a check that this run left open; undefined where that is not known. */
  decidedBefore?(id: string): Standing | undefined;
}

/** All but those that were skipped, or out of reach. */
const examined = ({ emitted, skipped, notObservable }: ResultCounts): number => emitted - skipped - notObservable;

/** A run of which all is known. */
export function sideOf(results: Results): Side {
  const seen = new Map<string, ResultCheck['verdict']>(results.checks.map((check) => [check.id, seenOf(check)]));
  const [known, limits] = [new Set(knownIds(results.checks)), results.limits.map(bareLimit)];
  const looked = examined(results.counts);
  return { standing: (id) => seen.get(id) ?? 'absent', ids: [...seen.keys()], known, limits, looked };
}

/** A run of which the history is all there is. @param before comparable runs before it, oldest first */
export function sideOfPast({ checks, known, limits, counts }: PastRun, before: readonly PastRun[] = []): Side {
  const seen = new Map(Object.entries(checks));
  return {
    standing: (id) => seen.get(id) ?? 'fine',
    ids: [...seen.keys()],
    known: new Set(known),
    limits,
    looked: examined(counts),
    decidedBefore: (id) => {
      const last = before.findLast((past) => weightOf(past.checks[id] ?? 'fine') !== 'open');
      return last && (last.checks[id] ?? 'fine');
    },
  };
}

type Weight = 'fail' | 'warn' | 'right' | 'open' | 'unknown';

function weightOf(standing: Standing): Weight {
  switch (standing) {
    case 'fail':
    case 'warn':
      return standing;
    case 'pass':
    case 'observed':
    case 'fine':
      return 'right';
    case 'inconclusive':
    case 'error':
      return 'open';
    // A verdict without its excuse is never `known`.
    default:
      return 'unknown';
  }
}

const wrong = (weight: Weight): boolean => weight === 'fail' || weight === 'warn';

/** What became of it; undefined where there is nothing to report. */
export function changeKind(before: Standing, now: Standing): ChangeKind | undefined {
  const [first, second] = [weightOf(before), weightOf(now)];
  if (wrong(second)) return wrong(first) && !(first === 'warn' && second === 'fail') ? 'still' : 'broken';
  if (wrong(first)) return second === 'right' ? 'fixed' : 'lost';
  if (second === 'open') return first === 'open' ? undefined : 'doubtful';
  return first === 'open' && second === 'right' ? 'settled' : undefined;
}

/** A night that decided nothing of a check makes it neither new nor fixed: what was seen before that still counts. */
function lastDecided(before: Side, id: string, now: Standing): Standing {
  const standing = before.standing(id);
  if (weightOf(standing) !== 'open' || weightOf(now) === 'open') return standing;
  const earlier = before.decidedBefore?.(id);
  return earlier !== undefined && wrong(weightOf(earlier)) ? earlier : standing;
}

function checkChanges(before: Side, now: Side): CheckChange[] {
  const ids = [...now.ids, ...before.ids.filter((id) => now.standing(id) === 'absent')];
  return ids.flatMap((id) => {
    const [first, second] = [lastDecided(before, id, now.standing(id)), now.standing(id)];
    const kind = changeKind(first, second);
    if (kind === undefined) return [];
    return [{ id, kind, before: first, now: second, ...(now.known.has(id) ? { known: true as const } : {}) }];
  });
}

type Measured = HistoryLimit['measured'];

/** Whether no value of one lies within the other. */
export function apart(before: Measured, now: Measured): boolean {
  if (!before || !now) return false;
  const above = (one: NonNullable<Measured>, other: NonNullable<Measured>): boolean =>
    other.upper !== null && one.lower > other.upper;
  return above(before, now) || above(now, before);
}

const UNNAMED = 'unknown';

function otherAlgorithm({ algorithm: before = UNNAMED }: HistoryLimit, { algorithm: now = UNNAMED }: HistoryLimit) {
  return before !== UNNAMED && now !== UNNAMED && before !== now;
}

function otherPromise({ documented: before }: HistoryLimit, { documented: now }: HistoryLimit): boolean {
  return before.value !== now.value || before.windowMs !== now.windowMs;
}

function limitChanges(before: Side, now: Side): LimitChange[] {
  return now.limits.flatMap((limit) => {
    const old = before.limits.find((one) => one.id === limit.id);
    if (!old) return [];
    const moved = apart(old.measured, limit.measured) || otherAlgorithm(old, limit) || otherPromise(old, limit);
    // A limit that was not measured has no promise to compare: that of a queue depends on the endpoint that was tested.
    return moved && old.measured && limit.measured ? [{ id: limit.id, before: old, now: limit }] : [];
  });
}

/** In the order of the later run. */
export function changesBetween(before: Side, now: Side): Changes {
  const looked = { before: before.looked, now: now.looked };
  return { checks: checkChanges(before, now), limits: limitChanges(before, now), looked };
}
