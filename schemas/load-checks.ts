/**
 * The checks that the load answers, declared from the limits table: one guarantee and one enforcement for each limit,
 * and what else a row promises. Retention is not here: it needs no load, the contract checks answer it.
 */
import { documentedTable, isAdded, isOwn, type Limit, type LimitTable } from './limits.ts';
import { operation } from './operations.ts';
import type { CheckDeclaration, Level } from './verdicts.ts';

/** A load check also knows which limit's row it belongs to; health belongs to none. */
export interface LoadCheckDeclaration extends CheckDeclaration {
  readonly limitId: string | null;
}

function declare(limit: Limit, aspect: string, title: string, level: Level = 'documented'): LoadCheckDeclaration {
  return { id: `${limit.id}.${aspect}`, title, clauses: clausesOf(limit), level, limitId: limit.id };
}

/** The value of a configuration says nothing about a clause of the spec, which then nobody asks about. */
const clausesOf = (limit: Limit): readonly string[] => (isOwn(limit) ? [] : [limit.id]);

const refusal429 = (limit: Limit): LoadCheckDeclaration =>
  declare(limit, 'refusal', 'A refusal is a 429 with Retry-After', 'convention');

/** The checks of one row. */
export function checksOf(limit: Limit): LoadCheckDeclaration[] {
  const names = limit.operations.join(', ');
  const said = isOwn(limit) ? 'promised' : 'documented';
  switch (limit.kind) {
    case 'requests':
      return [
        declare(limit, 'guarantee', `A client within the rate limit of ${names} is never refused`),
        declare(limit, 'enforced', `Requests beyond the ${said} rate limit of ${names} are refused`),
        ...(limit.operations.length > 1 ? [declare(limit, 'shared', `${names} share one rate limit`)] : []),
        ...(isAdded(limit)
          ? []
          : [declare(limit, 'independent', `Exhausting the rate limit of ${names} does not affect other operations`)]),
        refusal429(limit),
        declare(limit, 'retry-after', `A request after the Retry-After of ${names} is admitted`, 'convention'),
        declare(limit, 'fields', `RateLimit fields of ${names} match the enforced limit`, 'convention'),
        // That the service is available at all times is not documented.
        {
          ...declare(limit, 'served', `Every request under load to ${names} is served or refused`, 'convention'),
          clauses: isOwn(limit) ? [] : limit.operations.map((id) => `${id}.route`),
        },
      ];
    case 'concurrent-requests':
      return [
        declare(limit, 'guarantee', `${names} serves as many concurrent requests as ${said}`),
        declare(limit, 'enforced', `${names} refuses one concurrent request more than ${said}`),
        declare(limit, 'freed', `A response and an abort each free a concurrency slot of ${names}`),
        ...(limit.per === 'address'
          ? [
              declare(
                limit,
                'per-address',
                `Concurrent requests of one address do not affect those of another (${names})`,
              ),
            ]
          : []),
        refusal429(limit),
      ];
    case 'content-bytes':
      return [
        declare(limit, 'guarantee', `${names} accepts a body within the ${said} size`),
        declare(limit, 'enforced', `${names} refuses a body beyond the ${said} size`),
        declare(
          limit,
          'refusal',
          'An oversized body is refused with a response such as 413 or 400, not a reset',
          'convention',
        ),
        // The documentation says that it is refused, not that nothing comes of it; who tries again pays twice.
        ...(isAdded(limit)
          ? []
          : [declare(limit, 'refused-job', `An oversized body that ${names} refuses creates no job`, 'convention')]),
      ];
    case 'queue':
      return [
        declare(limit, 'guarantee', `${names} is not refused for the queue within its limit`),
        declare(limit, 'enforced', `${names} is refused with ${limit.status} when the queue is beyond its limit`),
        declare(limit, 'reopens', `${names} is accepted again as soon as the queue is back within its limit`),
        {
          ...declare(limit, 'lengths', `Queue lengths at which ${names} was accepted and refused`, 'observed'),
          clauses: ['gap.queue-counts-new'],
        },
      ];
    case 'retention':
      return [];
  }
}

export const perAddressId = ({ id }: Pick<Limit, 'id'>): string => `${id}.per-address`;

/** Limits that are small enough to be exhausted again and again, while others ask. */
export const scopedLimits: readonly string[] = ['requests.rate', 'requests.concurrency', 'purge-queue.rate'];

export const scopeCheckId = (limitId: string): string => `${limitId}.scope`;

/** The documentation gives the numbers, and not whose requests they count. */
const scopeChecksOf = (table: LimitTable): LoadCheckDeclaration[] =>
  table.rows
    .filter(({ id }) => scopedLimits.includes(id))
    .map(({ id, kind, operations }) => ({
      id: scopeCheckId(id),
      title: `Scope of the ${kind === 'requests' ? 'rate' : 'concurrency'} limit of ${operations.join(', ')}: endpoint, account or address`,
      clauses: ['gap.limit-scope'],
      level: 'observed',
      limitId: id,
    }));

export const HEALTH_UNLIMITED = 'health.rate.unlimited';
export const INFERENCE_PAYLOAD = 'inference.payload.observed';
export const CHAT_STREAM_TIMING = 'chat.stream.timing';
export const RESULT_STREAM_TIMING = 'stream.timing';
export const PURGE_CLEARS = 'purge-queue.load.clears-queued';
export const PURGE_KEEPS_RUNNING = 'purge-queue.load.keeps-running';

/** Of no single row. */
const others: readonly LoadCheckDeclaration[] = [
  {
    id: HEALTH_UNLIMITED,
    title: 'health is never refused at twice the highest rate limit',
    clauses: [`${operation('health').id}.unlimited`],
    level: 'documented',
    limitId: null,
  },
  {
    id: INFERENCE_PAYLOAD,
    title: 'Largest request body that chat accepts',
    clauses: ['gap.inference-payload'],
    level: 'observed',
    limitId: null,
  },
  {
    id: CHAT_STREAM_TIMING,
    title: 'Arrival times of the tokens of a streamed chat completion',
    clauses: ['gap.chat-response'],
    level: 'observed',
    limitId: null,
  },
  {
    id: RESULT_STREAM_TIMING,
    title: 'Arrival times of the results of a streaming job',
    clauses: ['gap.stream-response'],
    level: 'observed',
    limitId: null,
  },
  {
    id: PURGE_CLEARS,
    title: 'purge-queue clears a full queue, and submissions are accepted again',
    clauses: ['purge-queue.clears-queued'],
    level: 'documented',
    limitId: null,
  },
  {
    id: PURGE_KEEPS_RUNNING,
    title: 'purge-queue of a full queue does not affect running jobs',
    clauses: ['purge-queue.keeps-running'],
    level: 'documented',
    limitId: null,
  },
];

/** The checks of every row of this table, and those of none. */
export function loadChecksOf(table: LimitTable): readonly LoadCheckDeclaration[] {
  return [...table.rows.flatMap(checksOf), ...scopeChecksOf(table), ...others];
}

/** Those of the spec's own table. */
export const loadChecks: readonly LoadCheckDeclaration[] = loadChecksOf(documentedTable);
