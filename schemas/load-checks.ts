/** The load checks, declared from the limits table: those of each limit (limit-kinds.ts), and those of no limit. */
import { checksOfLimit } from './limit-kinds.ts';
import { documentedTable, isOwn, type Limit, type LimitTable } from './limits.ts';
import { operation } from './operations.ts';
import type { CheckDeclaration } from './verdicts.ts';

/** A load check also knows which limit's row it belongs to; health belongs to none. */
export interface LoadCheckDeclaration extends CheckDeclaration {
  readonly limitId: string | null;
}

/** The checks of one row. Where the configuration gives the value, they have no clause of the spec. */
export const checksOf = (limit: Limit): LoadCheckDeclaration[] =>
  checksOfLimit(limit).map(({ aspect, title, level = 'documented', clauses = isOwn(limit) ? [] : [limit.id] }) => ({
    id: `${limit.id}.${aspect}`,
    title,
    clauses,
    level,
    limitId: limit.id,
  }));

export const perAddressId = ({ id }: Pick<Limit, 'id'>): string => `${id}.per-address`;

/** Limits that are small enough to be exhausted several times, to see which other requests are then refused. */
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
