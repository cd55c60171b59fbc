/** The target compared with the reference: what both responded in each check, and all differences. */
import type { CheckFacts } from '../../schemas/facts.ts';
import { type OperationId, operations } from '../../schemas/operations.ts';
import type { ReferenceAnswer, ReferenceReport, ResultCheck, ResultLimit } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { measuredWords } from '../limit-words.ts';
import { withoutFinding } from '../severity.ts';
import { judgeCheck } from '../verdicts/check.ts';
import { differencesByCheck } from './check.ts';
import recorded from './reference-load.json' with { type: 'json' };
import { gather, isNamed, name, type PlacedDifference } from './sentences.ts';

// The reference under load, as it was recorded: a second load in each run would take minutes and disturb the first. A
// test of the whole keeps the record true (`npx vitest run --project alone test/verify.e2e.test.ts -u`).

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

/** The reference's result of a load check; undefined where it has none. */
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

/** The outcome of running the reference. */
export type ReferenceView =
  | { readonly kind: 'asked'; readonly facts: readonly CheckFacts[]; readonly target: TargetConfig }
  | { readonly kind: 'itself' }
  | { readonly kind: 'missing'; readonly why: string };

export interface ComparisonInput {
  readonly checks: readonly ResultCheck[];
  readonly limits: readonly ResultLimit[];
  readonly facts: readonly CheckFacts[];
  readonly target: TargetConfig;
  readonly runId: string;
  readonly view: ReferenceView;
}

/** Listed at most: of one check, and of the whole run. */
const MOST_OF_A_CHECK = 12;
const MOST_OF_ALL = 300;

const JUDGED: readonly string[] = ['pass', 'fail', 'warn'];

/** Differently judged, and no answer shows why: the contents differ, or the order, or the time. */
function verdictOnly(check: ResultCheck, answer: Pick<ReferenceAnswer, 'verdict'>): PlacedDifference[] {
  const broke = check.verdict === 'fail' || check.verdict === 'warn';
  if (!broke || !JUDGED.includes(answer.verdict) || check.verdict === answer.verdict) return [];
  const subject = check.id.split('.')[0];
  const operation = operations.find(({ id }) => id === subject)?.id ?? null;
  return [{ operation, request: '', aspect: [], text: `does not keep what the reference keeps: ${check.title}` }];
}

/** What the check speaks of comes first. */
function sentences(check: ResultCheck, list: readonly PlacedDifference[]): string[] {
  const sorted = [...list].sort((a, b) => Number(isNamed(b, check)) - Number(isNamed(a, check)));
  const texts = sorted.map(({ request, text }) => (request === '' ? text : `${request}: ${text}`));
  const more = texts.length - MOST_OF_A_CHECK;
  return more > 0 ? [...texts.slice(0, MOST_OF_A_CHECK), `and ${more} more`] : texts;
}

interface Comparison {
  readonly checks: readonly ResultCheck[];
  readonly reference: ReferenceReport;
}

/** The checks with the reference's answers, and all differences together. Pure; what can't be compared is said. */
export function compareWithReference(input: ComparisonInput): Comparison {
  try {
    return compared(input);
  } catch (error) {
    // A comparison is a service to the reader: where it breaks, the verdicts stand.
    const why = `comparing broke: ${error instanceof Error ? error.message : String(error)}`;
    return { checks: input.checks, reference: { contract: 'missing', why, differences: [], more: 0 } };
  }
}

function compared(input: ComparisonInput): Comparison {
  const { checks, limits, facts, target, runId, view } = input;
  const sent = view.kind === 'asked' ? view.facts : view.kind === 'itself' ? facts : [];
  const answers = new Map(sent.map((one) => [one.id, judgeCheck(one)]));
  const answerTo = (id: string): ReferenceAnswer | undefined => {
    const answer = answers.get(id);
    if (answer) return { verdict: answer.verdict, observed: answer.reason ?? answer.observed };
    // It was measured with another value.
    const sent = limits.every((one) => one.promisedBy === undefined || !one.checks.includes(id));
    const recorded = sent ? recordedAnswer(id) : undefined;
    return recorded && { ...recorded, recorded: true };
  };
  const found = new Map<string, readonly PlacedDifference[]>([
    ...(view.kind === 'asked' ? differencesByCheck({ facts, target, runId }, { ...view, runId }) : []),
    ...loadDifferences(checks, limits),
  ]);
  const byCheck = new Map<string, readonly PlacedDifference[]>();
  const beside = checks.map((check): ResultCheck => {
    const answer = answerTo(check.id);
    if (!answer) return check;
    const own = found.get(check.id) ?? verdictOnly(check, answer);
    byCheck.set(check.id, own);
    // Where both say the same, nothing is broken and nothing differs, the reference's answer adds nothing.
    if (own.length === 0 && withoutFinding.has(check.verdict) && answer.verdict === check.verdict) return check;
    return { ...check, reference: own.length > 0 ? { ...answer, differences: sentences(check, own) } : answer };
  });
  const all = gather(beside, byCheck);
  const reference: ReferenceReport = {
    contract: view.kind,
    ...(view.kind === 'missing' ? { why: view.why } : {}),
    differences: all.slice(0, MOST_OF_ALL),
    more: Math.max(0, all.length - MOST_OF_ALL),
  };
  return { checks: beside, reference };
}
