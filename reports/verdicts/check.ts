/** Facts of one contract check -> its verdict. */
import type { CheckFacts, Expectation } from '../../schemas/facts.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { grouped } from '../../schemas/thousands.ts';
import { broken, type Claim, claimOf, holds, verdictOf } from './claim.ts';

/** More findings of one kind don't help a reader; all of them stay in the evidence. */
const MOST_TOLD = 4;

/** What held needs little to show it; without this the results of a good service are mostly repeated polls. */
const FEW = 4;

const few = <T>(all: readonly T[]): readonly T[] =>
  all.length <= FEW ? all : [...all.slice(0, FEW / 2), ...all.slice(-FEW / 2)];

/** What `expected` and `observed` of a check that holds say already is not repeated. */
function evidenceOf({ exchanges }: CheckFacts, expectations: readonly Expectation[], { verdict }: Claim) {
  if (verdict !== 'holds') return { expectations, exchanges };
  return { expectations: expectations.length <= MOST_TOLD ? [] : few(expectations), exchanges: few(exchanges) };
}

export function judgeCheck(facts: CheckFacts): ResultCheck {
  const claim = claimFrom(facts);
  const expectations = facts.outcome.kind === 'ran' ? facts.outcome.expectations : [];
  return {
    id: facts.id,
    title: facts.title,
    clauses: facts.clauses,
    level: facts.level,
    verdict: verdictOf(claim, facts.level),
    expected: claim.expected,
    observed: claim.observed,
    ...(claim.reason ? { reason: claim.reason } : {}),
    ...(claim.missing ? { missing: claim.missing } : {}),
    ...(facts.firstTime ? { firstTime: facts.firstTime } : {}),
    ...(facts.leftBehind && facts.leftBehind.length > 0 ? { leftBehind: facts.leftBehind } : {}),
    evidence: evidenceOf(facts, expectations, claim),
  };
}

export function judgeChecks(facts: readonly CheckFacts[]): ResultCheck[] {
  return facts.map(judgeCheck);
}

function claimFrom({ outcome, title }: CheckFacts): Claim {
  if (outcome.kind !== 'ran') return claimOf(outcome, title);
  const { expectations } = outcome;
  if (expectations.length === 0) {
    return claimOf({ kind: 'error', message: 'the check asserted nothing, so it cannot pass' }, title);
  }
  const unmet = expectations.filter((one) => !one.holds);
  const announced: readonly Expectation[] = unmet.length > 0 ? unmet : expectations;
  const join = (pick: (one: Expectation) => string): string => {
    const texts = [...new Set(announced.map(pick))];
    const more = texts.length > MOST_TOLD ? [grouped`and ${texts.length - MOST_TOLD} more like these`] : [];
    return [...texts.slice(0, MOST_TOLD), ...more].join('; ');
  };
  const expected = join((one) => `${one.what}: ${one.expected}`);
  const observed = join((one) => `${one.what}: ${one.observed}`);
  return unmet.length > 0 ? broken(expected, observed) : holds(expected, observed);
}
