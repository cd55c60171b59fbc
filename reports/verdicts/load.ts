/** Facts of all probes -> a verdict for every load check that was declared, whatever happened to its probes. */
import type { LoadFacts, RateFacts } from '../../schemas/facts.ts';
import type { Limit, LimitTable } from '../../schemas/limits.ts';
import {
  CHAT_STREAM_TIMING,
  HEALTH_UNLIMITED,
  INFERENCE_PAYLOAD,
  type LoadCheckDeclaration,
  perAddressId,
  RESULT_STREAM_TIMING,
} from '../../schemas/load-checks.ts';
import type { ResultCheck } from '../../schemas/results.ts';
import { judgeAddresses } from './addresses.ts';
import { type Claim, claimOf, isOpen, leftOut, settled, strongest, verdictOf } from './claim.ts';
import { judgeConcurrency } from './concurrency.ts';
import { concurrencyDoubts } from './concurrency-doubts.ts';
import type { JudgingContext } from './context.ts';
import type { Doubt } from './doubt.ts';
import { gate } from './doubt.ts';
import { judgeInferencePayload } from './inference-payload.ts';
import { judgePayload } from './payload.ts';
import { judgeQueue } from './queue.ts';
import { queueDoubts } from './queue-doubts.ts';
import { judgeRate, rateDoubts } from './rate.ts';
import { judgeRefusedJobs } from './refused-job.ts';
import { judgeScope } from './scope.ts';
import { judgeStreamTiming } from './stream-timing.ts';
import { judgeUnlimited } from './unlimited.ts';

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

interface Judge<F extends LoadFacts> {
  judge(facts: F, context: JudgingContext): Record<string, Claim>;
  /** What weakens this evidence; single answers (a body) are left to those who judge them. */
  doubts?(facts: F, context: JudgingContext): readonly Doubt[];
}

const rateRow = ({ limitId }: RateFacts, { table }: JudgingContext) => limitRow(limitId, 'requests', table);

const judges: { readonly [K in LoadFacts['kind']]: Judge<Extract<LoadFacts, { readonly kind: K }>> } = {
  rate: {
    judge: (facts, context) => judgeRate(facts, rateRow(facts, context), context),
    doubts: (facts, context) => rateDoubts(facts, rateRow(facts, context), context),
  },
  concurrency: {
    judge: (facts, context) =>
      judgeConcurrency(facts, limitRow(facts.limitId, 'concurrent-requests', context.table), context),
    doubts: concurrencyDoubts,
  },
  addresses: { judge: (facts) => ({ [perAddressId({ id: facts.limitId })]: judgeAddresses(facts) }) },
  queue: { judge: (facts, context) => judgeQueue(facts, context.table.of('queue'), context), doubts: queueDoubts },
  payload: { judge: (facts, { table }) => judgePayload(facts, limitRow(facts.limitId, 'content-bytes', table)) },
  'refused-job': { judge: (facts, { table }) => judgeRefusedJobs(facts, table) },
  'inference-payload': { judge: (facts) => ({ [INFERENCE_PAYLOAD]: judgeInferencePayload(facts) }) },
  unlimited: { judge: (facts, { table }) => ({ [HEALTH_UNLIMITED]: judgeUnlimited(facts, table) }) },
  'stream-timing': {
    judge: (facts) => ({
      [facts.operation === 'chat' ? CHAT_STREAM_TIMING : RESULT_STREAM_TIMING]: judgeStreamTiming(facts),
    }),
  },
  scope: { judge: judgeScope },
  missing: {
    judge: ({ checkIds, outcome }) => Object.fromEntries(checkIds.map((id) => [id, claimOf(outcome, 'an answer')])),
  },
};

const judgeOf = ({ kind }: LoadFacts): Judge<LoadFacts> => judges[kind] as Judge<LoadFacts>;

function limitRow<K extends Limit['kind']>(id: string, kind: K, table: LimitTable): Extract<Limit, { kind: K }> {
  const found = table.of(kind).find((one) => one.id === id);
  if (!found) throw new Error(`facts name the limit '${id}', which the limits table does not have`);
  return found;
}

const nothingReported = (expected: string): Claim =>
  claimOf({ kind: 'error', message: 'no probe reported on this check' }, expected);
