/** Whose requests a limit counts together: of other endpoints, keys, addresses. */
import type { ScopeAnswers, ScopeFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { type ConcurrencyLimit, firstOf, type LimitTable, type RateLimit } from '../../../schemas/limits.ts';
import { scopeCheckId, scopedLimits } from '../../../schemas/load-checks.ts';
import { isSuccess } from '../../../schemas/status.ts';
import type { EndpointConfig } from '../../../schemas/target.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { countStatuses } from '../../analysis/outcome.ts';
import { BYTES_PER_REQUEST, type PlanContext } from '../../plan/context.ts';
import { needs, needsDedicated } from '../../plan/reasons.ts';
import type { Candidate } from '../../plan/types.ts';
import type { Resource, ScopeParameters, ScopeVariant } from '../../probe.ts';
import type { Kind } from '../kind.ts';
import { noteOf, sendScope } from './send/index.ts';

// Ledger of a scope probe -> facts: what was sent while the limit was certainly exhausted, and the responses.

const isRefused = ({ status }: LedgerRow): boolean => status === 429;

export function analyseScope(parameters: ScopeParameters, ledger: Ledger, planned: number): ScopeFacts {
  const usual = ledger.entries.filter(({ phase }) => phase === 'usual');
  const after = ledger.entries.find(({ phase }) => phase === 'after');
  const { limitId, instId, operation, technique, variants } = parameters;
  return {
    kind: 'scope',
    limitId,
    instId,
    operation,
    technique,
    usual: { sent: usual.length, refused: usual.filter(isRefused).length },
    ...(after ? { servedAfter: isSuccess(after.status) } : {}),
    variants: variants.map((variant) => answersTo(variant, ledger.entries)),
    health: generatorHealth(ledger, planned),
  };
}

/** The entries stand in the order in which they were sent, one after the other. */
function answersTo(variant: ScopeVariant, entries: readonly LedgerRow[]): ScopeAnswers {
  const own = entries.flatMap((entry, index) =>
    entry.phase === 'variant' && entry.note === noteOf(variant)
      ? [{ entry, sure: isBetweenRefusals(entries, index) }]
      : [],
  );
  const sure = own.filter((one) => one.sure).map(({ entry }) => entry);
  const refused = sure.filter(isRefused);
  const admitted = sure.filter(({ status }) => isSuccess(status));
  return {
    ...variant,
    admitted: admitted.length,
    refused: refused.length,
    otherwise: countStatuses(sure.filter((entry) => !refused.includes(entry) && !admitted.includes(entry))),
    unsure: own.length - sure.length,
  };
}

function isBetweenRefusals(entries: readonly LedgerRow[], index: number): boolean {
  const before = entries.slice(0, index).findLast(({ phase }) => phase === 'usual');
  const after = entries.slice(index + 1).find(({ phase }) => phase === 'usual');
  return before !== undefined && after !== undefined && isRefused(before) && isRefused(after);
}

/**
 * A bucket that is refilled by one request at the wrong moment would look like a rate limit of its own; three times is
 * unlikely.
 */
const ROUNDS = 3;
/** A fixed window may end, and a bucket fill up, in the meantime: so many times the limit is spent at most. */
const SPENT_TIMES = 3;
const BASE_MS = 300;
const ROUND_TRIPS = 3;

/** The rows of this table that have a scope. */
export function scopedRows(table: LimitTable): readonly (RateLimit | ConcurrencyLimit)[] {
  return [...table.of('requests'), ...table.of('concurrent-requests')].filter(({ id }) => scopedLimits.includes(id));
}

export function scopeCandidate(limit: RateLimit | ConcurrencyLimit, context: PlanContext): Candidate {
  const checkIds = [scopeCheckId(limit.id)];
  const { purges } = firstOf(limit, context.table);
  const usable = context.endpoints.filter(({ dedicated }) => dedicated || !purges);
  // Queue probes purge where there are the fewest workers, which would blur what the other endpoint answers.
  const [endpoint, other] = purges && usable.length > 1 ? [usable.at(-1), usable[0]] : usable;
  const [operation] = limit.operations;
  if (!endpoint || !operation) return { checkIds, missing: needsDedicated('each request purges its queue') };
  const spends = limit.kind === 'requests';
  const variants = variantsFor(limit, other, context);
  // A caller with a rate limit of its own must not use it up.
  const [rounds, toEach] = spends ? [Math.min(ROUNDS, limit.value), limit.value] : [1, 1];
  const parameters: ScopeParameters = {
    kind: 'scope',
    limitId: limit.id,
    instId: endpoint.instId,
    operation,
    technique: spends ? 'spend' : 'hold',
    limit: limit.value,
    variants,
    rounds,
    // Held ones, a usual one before each variant, behind the last, and when nothing is held any more.
    most: spends
      ? SPENT_TIMES * (limit.value + 1) + 2 * rounds * variants.length
      : limit.value + 2 * variants.length + 2,
  };
  const { most } = parameters;
  const rate = context.table.find('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
  if (!spends && most > rate) return { checkIds, missing: needs(`a rate limit of at least ${most} requests`) };
  const purged = purges ? [endpoint, ...(other ? [other] : [])] : [];
  return {
    checkIds,
    probe: {
      id: scopeCheckId(limit.id),
      title: `Scope of the ${spends ? 'rate' : 'concurrency'} limit of ${limit.operations.join(', ')}`,
      checkIds,
      parameters,
      requests: most,
      bytes: most * BYTES_PER_REQUEST,
      estimateMs: Math.round(BASE_MS + ROUND_TRIPS * most * context.speed.roundTripMs),
      floorMs: 0,
      exclusive: [`budget:${limit.budget}`, ...purged.map(({ instId }): Resource => `queue:${instId}`)],
      shared: [],
      spends: { [limit.budget]: most },
      // Earlier requests only exhaust it sooner; held requests must be refused for being too many.
      startsIdle: spends,
      ...(other ? { elsewhere: { instId: other.instId, spends: { [limit.budget]: toEach } } } : {}),
      sender: 'held',
    },
  };
}

function variantsFor(
  limit: RateLimit | ConcurrencyLimit,
  other: EndpointConfig | undefined,
  { target, table }: PlanContext,
): ScopeVariant[] {
  const methods = limit.operations.slice(0, 1).flatMap((id) => table.operation(id).methods.slice(1, 2));
  return [
    ...(other ? [{ by: 'endpoint', name: other.instId } as const] : []),
    // Whether there is one is known to the sender alone, which has the keys.
    { by: 'account', name: '' },
    ...(target.otherAddress === undefined ? [] : [{ by: 'address', name: target.otherAddress } as const]),
    // Held requests have a connection each anyway.
    ...(limit.kind === 'requests' ? [{ by: 'connection', name: '' } as const] : []),
    ...methods.map((name): ScopeVariant => ({ by: 'method', name })),
  ];
}

export const scope: Kind<ScopeParameters> = {
  questions: (table) =>
    scopedRows(table).map((limit) => ({
      of: 'jobs',
      bursts: true,
      checkIds: [scopeCheckId(limit.id)],
      plan: (context) => [scopeCandidate(limit, context)],
    })),
  least: () => 1,
  send: (parameters, { sending, env }) =>
    sendScope(parameters, sending, { ...env, otherKey: env.credentials.otherKey }),
  analyse: analyseScope,
};
