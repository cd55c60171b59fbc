/** The target beside the reference: what both answered to each check, and everything in which they differ. */
import type { CheckFacts } from '../../schemas/facts.ts';
import { operations } from '../../schemas/operations.ts';
import type { ReferenceAnswer, ReferenceReport, ResultCheck, ResultLimit } from '../../schemas/results.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { withoutFinding } from '../severity.ts';
import { judgeCheck } from '../verdicts/check.ts';
import { differencesByCheck } from './check.ts';
import { gather, isNamed, type PlacedDifference } from './gather.ts';
import { loadDifferences, recordedAnswer } from './load.ts';

/** What became of asking the reference the same. */
export type ReferenceView =
  | { readonly kind: 'asked'; readonly facts: readonly CheckFacts[]; readonly target: TargetConfig }
  | { readonly kind: 'itself' }
  | { readonly kind: 'missing'; readonly why: string };

export interface BesideInput {
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

interface Beside {
  readonly checks: readonly ResultCheck[];
  readonly reference: ReferenceReport;
}

/** The checks with the reference's answers, and all differences together. Pure; what can't be compared is said. */
export function besideReference(input: BesideInput): Beside {
  try {
    return compared(input);
  } catch (error) {
    // A comparison is a service to the reader: whatever it stumbles over, the verdicts stand.
    const why = `comparing broke: ${error instanceof Error ? error.message : String(error)}`;
    return { checks: input.checks, reference: { contract: 'missing', why, differences: [], more: 0 } };
  }
}

function compared(input: BesideInput): Beside {
  const { checks, limits, facts, target, runId, view } = input;
  const asked = view.kind === 'asked' ? view.facts : view.kind === 'itself' ? facts : [];
  const answers = new Map(asked.map((one) => [one.id, judgeCheck(one)]));
  const answerTo = (id: string): ReferenceAnswer | undefined => {
    const answer = answers.get(id);
    if (answer) return { verdict: answer.verdict, observed: answer.reason ?? answer.observed };
    // It was asked about another value.
    const asked = limits.every((one) => one.promisedBy === undefined || !one.checks.includes(id));
    const recorded = asked ? recordedAnswer(id) : undefined;
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
