/** Facts of all probes -> a verdict for every load check that was declared, whatever happened to its probes. */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { LoadCheckDeclaration } from '../../schemas/load-checks.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { judgeOf } from '../kinds/index.ts';
import { type Claim, claimOf, isOpen, leftOut, settled, strongest, verdictOf } from './claim.ts';
import type { JudgingContext } from './context.ts';
import { gate } from './doubt.ts';

/** @param again of the probes that were carried out once more, because the first time left something open */
export function judgeLoadChecks(
  facts: readonly LoadFacts[],
  declared: readonly LoadCheckDeclaration[],
  context: JudgingContext,
  again: readonly LoadFacts[] = [],
): ResultCheck[] {
  const judge = (some: readonly LoadFacts[]) =>
    inOrder(some).map((one) => {
      const { judge: claims, doubts } = judgeOf(one);
      return gate(claims(one, context), doubts?.(one, context) ?? []);
    });
  const [judged, judgedAgain] = [judge(facts), judge(again)];
  return declared.map((declaration) => {
    const about = (some: readonly Record<string, Claim>[]) => some.flatMap((claims) => claims[declaration.id] ?? []);
    const claims = about(judged);
    const first = strongest(claims);
    const later = strongest(about(judgedAgain));
    const claim = settled(first, later) ?? nothingReported(declaration.title);
    const firstTime = first && later && isOpen(first) ? first.reason : undefined;
    // What is only recorded says what it could not record; a verdict stands on what was seen.
    const reason = claim.reason ?? (declaration.level === 'observed' ? leftOut(claims) : undefined);
    return {
      id: declaration.id,
      title: declaration.title,
      clauses: declaration.clauses,
      level: declaration.level,
      verdict: verdictOf(claim, declaration.level),
      expected: claim.expected,
      observed: claim.observed,
      ...(reason ? { reason } : {}),
      ...(claim.missing ? { missing: claim.missing } : {}),
      ...(firstTime ? { firstTime } : {}),
    };
  });
}

/** Several probes may tell of one check, and what is said of it must not depend on which of them was done first. */
function inOrder(facts: readonly LoadFacts[]): readonly LoadFacts[] {
  const nameOf = (one: LoadFacts): string =>
    [
      one.kind,
      'limitId' in one ? one.limitId : '',
      'technique' in one ? one.technique : '',
      'instId' in one ? one.instId : '',
    ].join(' ');
  return [...facts].sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'));
}

const nothingReported = (expected: string): Claim =>
  claimOf({ kind: 'error', message: 'no probe reported on this check' }, expected);
