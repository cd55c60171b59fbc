/** Facts of all probes -> a verdict for every load check that was declared, whatever happened to its probes. */
import type { LoadFacts } from '../../schemas/facts.ts';
import type { Limit, LimitTable } from '../../schemas/limits.ts';
import { HEALTH_UNLIMITED, type LoadCheckDeclaration } from '../../schemas/load-checks.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { type Claim, claimOf, strongest, verdictOf } from './claim.ts';
import { judgeConcurrency } from './concurrency.ts';
import type { JudgingContext } from './context.ts';
import { carried } from './evidence.ts';
import { judgePayload } from './payload.ts';
import { judgeQueue } from './queue.ts';
import { judgeRate } from './rate.ts';
import { judgeUnlimited } from './unlimited.ts';

export function judgeLoadChecks(
  facts: readonly LoadFacts[],
  declared: readonly LoadCheckDeclaration[],
  context: JudgingContext,
): ResultCheck[] {
  const judged = facts.map((one) => carried(one, claimsOf(one, context)));
  return declared.map((declaration) => {
    const claims = judged.flatMap((claims) => claims[declaration.id] ?? []);
    const claim = strongest(claims) ?? nothingReported(declaration.title);
    return {
      id: declaration.id,
      title: declaration.title,
      clauses: declaration.clauses,
      level: declaration.level,
      verdict: verdictOf(claim, declaration.level),
      expected: claim.expected,
      observed: claim.observed,
      ...(claim.reason ? { reason: claim.reason } : {}),
    };
  });
}

function claimsOf(facts: LoadFacts, context: JudgingContext): Record<string, Claim> {
  switch (facts.kind) {
    case 'rate':
      return judgeRate(facts, limitRow(facts.limitId, 'requests', context.table), context);
    case 'concurrency':
      return judgeConcurrency(facts, limitRow(facts.limitId, 'concurrent-requests', context.table), context);
    case 'payload':
      return judgePayload(facts, limitRow(facts.limitId, 'content-bytes', context.table));
    case 'queue':
      return judgeQueue(facts, context.table.of('queue'));
    case 'unlimited':
      return { [HEALTH_UNLIMITED]: judgeUnlimited(facts, context.table) };
    case 'missing':
      return Object.fromEntries(facts.checkIds.map((id) => [id, claimOf(facts.outcome, 'an answer')]));
  }
}

function limitRow<K extends Limit['kind']>(id: string, kind: K, table: LimitTable): Extract<Limit, { kind: K }> {
  const found = table.of(kind).find((one) => one.id === id);
  if (!found) throw new Error(`facts name the limit '${id}', which the limits table does not have`);
  return found;
}

const nothingReported = (expected: string): Claim =>
  claimOf({ kind: 'error', message: 'no probe reported on this check' }, expected);
