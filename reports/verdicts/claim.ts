/**
 * A claim: what one set of facts says about one check. Several probes may answer the same check (a held body and a
 * long-poll, two endpoints), so claims are combined before they become the check's verdict.
 */
import type { CheckOutcome } from '../../schemas/facts.ts';
import type { Level, Verdict } from '../../schemas/verdicts.ts';

export interface Claim {
  /** `noted`: there is nothing to judge, only something to report. */
  readonly verdict: 'holds' | 'broken' | 'noted' | 'inconclusive' | 'not-observable' | 'skipped' | 'error';
  readonly expected: string;
  readonly observed: string;
  readonly reason?: string;
  /** Options that would have it judged. */
  readonly missing?: readonly string[];
}

export const holds = (expected: string, observed: string): Claim => ({ verdict: 'holds', expected, observed });
export const broken = (expected: string, observed: string): Claim => ({ verdict: 'broken', expected, observed });
export const noted = (expected: string, observed: string): Claim => ({ verdict: 'noted', expected, observed });
export const inconclusive = (expected: string, observed: string, reason: string): Claim => ({
  verdict: 'inconclusive',
  expected,
  observed,
  reason,
});

/** Holds, unless there is a reason why that is uncertain: the first of these that is one. */
export function holdsUnless(
  expected: string,
  observed: string,
  ...reasons: readonly (string | false | undefined)[]
): Claim {
  const reason = reasons.find(Boolean);
  return reason ? inconclusive(expected, observed, reason) : holds(expected, observed);
}

/** What a check says that did not run, or could not. */
export function claimOf(outcome: Exclude<CheckOutcome, { kind: 'ran' }>, expected: string): Claim {
  const base = { expected, observed: 'nothing', verdict: outcome.kind } as const;
  switch (outcome.kind) {
    case 'skipped':
      return { ...base, reason: `skipped by ${outcome.by}: ${outcome.why}`, ...lacking(outcome) };
    case 'not-observable':
      return { ...base, reason: `needs ${outcome.needs}`, ...lacking(outcome) };
    case 'inconclusive':
      return { ...base, reason: `${outcome.reason}; ${outcome.remedy}` };
    case 'error':
      return { ...base, reason: outcome.message };
  }
}

const lacking = ({ missing = [] }: Pick<Claim, 'missing'>): Pick<Claim, 'missing'> =>
  missing.length > 0 ? { missing } : {};

/** Earlier wins: a break that one probe saw is not undone by another that did not test it. */
const weight: readonly Claim['verdict'][] = [
  'broken',
  'error',
  'holds',
  'noted',
  'inconclusive',
  'not-observable',
  'skipped',
];

/** The strongest of several claims; of equals, the first, with the others' observations added. */
export function strongest(claims: readonly Claim[]): Claim | undefined {
  const sorted = [...claims].sort((a, b) => weight.indexOf(a.verdict) - weight.indexOf(b.verdict));
  const [first] = sorted;
  if (!first) return undefined;
  const equals = sorted.filter((claim) => claim.verdict === first.verdict);
  const join = (texts: readonly (string | undefined)[]) => [...new Set(texts.filter(Boolean))].join('; ');
  const reason = join(equals.map((claim) => claim.reason));
  return {
    verdict: first.verdict,
    expected: join(equals.map((claim) => claim.expected)),
    observed: join(equals.map((claim) => claim.observed)),
    ...(reason ? { reason } : {}),
    ...lacking({ missing: [...new Set(equals.flatMap(({ missing = [] }) => missing))] }),
  };
}

/**
 * The claim of a check that was retried: the second time decides what the first one left open, and a break counts
 * whenever it was seen. A reason is not said again with other numbers.
 */
export function mergeRetry(first: Claim | undefined, again: Claim | undefined): Claim | undefined {
  if (!first || !again) return first ?? again;
  if (!isOpen(first) && again.verdict !== 'broken') return first;
  const isSame = withoutNumbers(first.reason) === withoutNumbers(again.reason);
  return strongest([again, { ...first, ...(isSame ? { reason: again.reason } : {}) }]);
}

const withoutNumbers = (reason = ''): string => reason.replaceAll(/\d[\d,.]*/g, '#');

/** Not decided by what was seen, so that a retry may decide it. */
export const isOpen = ({ verdict }: Claim): boolean => verdict === 'inconclusive';

/** What was left out of an answer that only some of its probes could give; undefined when nothing was. */
export function leftOut(claims: readonly Claim[]): string | undefined {
  const reasons = claims.filter(({ verdict }) => verdict === 'not-observable' || verdict === 'skipped');
  return [...new Set(reasons.flatMap(({ reason }) => reason ?? []))].join('; ') || undefined;
}

/** How much a claim weighs: only what is documented can fail, and what the user has set as a goal. */
export function verdictOf(claim: Claim, level: Level): Verdict {
  if (level === 'observed' && (claim.verdict === 'holds' || claim.verdict === 'broken')) return 'observed';
  if (claim.verdict === 'noted') return 'observed';
  if (claim.verdict === 'holds') return 'pass';
  if (claim.verdict === 'broken') return level === 'documented' || level === 'goal' ? 'fail' : 'warn';
  return claim.verdict;
}

/**
 * What weakens evidence for any verdict, as data: a generator that stumbled, other traffic, a missing response. One
 * gate applies all of it, so that no judge can forget any.
 */
export interface Doubt {
  readonly reason: string;
  /** What it takes away: that a promise is kept, that it is broken, or any answer at all. */
  readonly undermines: 'pass' | 'fail' | 'both';
  /** The checks that it is about, by id or its end, such as `guarantee`; absent: all. */
  readonly of?: readonly string[];
  /** Those of them that it does not touch. */
  readonly except?: readonly string[];
}

/** The same claims, but for those that a doubt undermines: these are inconclusive, for the first such reason. */
export function gate(claims: Record<string, Claim>, doubts: readonly Doubt[]): Record<string, Claim> {
  const gated = Object.entries(claims).map(([id, claim]): [string, Claim] => {
    const doubt = doubts.find((one) => isAbout(one, id) && takes(one, claim));
    return [id, doubt ? inconclusive(claim.expected, claim.observed, doubt.reason) : claim];
  });
  return Object.fromEntries(gated);
}

function isAbout({ of, except = [] }: Doubt, id: string): boolean {
  const isOne = (name: string): boolean => id === name || id.endsWith(`.${name}`);
  return !except.some(isOne) && (of?.some(isOne) ?? true);
}

function takes({ undermines }: Doubt, { verdict }: Claim): boolean {
  if (verdict === 'holds') return undermines !== 'fail';
  if (verdict === 'broken') return undermines !== 'pass';
  // What is missing is missing for the same reason, and a reason found further on would only lead astray.
  return verdict === 'inconclusive' && undermines === 'both';
}

/** A doubt where there is a reason for one. */
export const doubt = (
  undermines: Doubt['undermines'],
  reason: string | undefined,
  about: Pick<Doubt, 'of' | 'except'> = {},
): readonly Doubt[] => (reason === undefined ? [] : [{ undermines, reason, ...about }]);
