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
  declare(limit, 'refusal', 'A refusal is a 429 that says when to come back', 'convention');

/** The checks of one row. */
export function checksOf(limit: Limit): LoadCheckDeclaration[] {
  const names = limit.operations.join(', ');
  const said = isOwn(limit) ? 'promised' : 'documented';
  switch (limit.kind) {
    case 'requests':
      return [
        declare(limit, 'guarantee', `A client within the rate limit of ${names} is never refused`),
        declare(limit, 'enforced', `Beyond the rate limit of ${names} requests are refused, and no later than ${said}`),
        ...(limit.operations.length > 1
          ? [declare(limit, 'shared', `${names} are counted together against one rate limit`)]
          : []),
        ...(isAdded(limit)
          ? []
          : [
              declare(
                limit,
                'independent',
                `Who has used up the rate limit of ${names} is still served everything else`,
              ),
            ]),
        refusal429(limit),
        declare(limit, 'retry-after', `A client that obeys the Retry-After of ${names} is let in`, 'convention'),
        declare(limit, 'fields', `RateLimit fields of ${names} say what is enforced`, 'convention'),
      ];
    case 'concurrent-requests':
      return [
        declare(limit, 'guarantee', `As many requests at once as ${said} are served by ${names}`),
        declare(limit, 'enforced', `One more request at once is refused by ${names}`),
        declare(limit, 'freed', `A slot of ${names} is usable again after an answer and after an abort`),
        ...(limit.per === 'address'
          ? [declare(limit, 'per-address', `Requests at once from one address leave those of another alone (${names})`)]
          : []),
        refusal429(limit),
      ];
    case 'content-bytes':
      return [
        declare(limit, 'guarantee', `A body within the ${said} size is accepted by ${names}`),
        declare(limit, 'enforced', `A body beyond the ${said} size is refused by ${names}`),
        declare(limit, 'refusal', 'An oversized body gets an answer, usually 413 or 400, not a reset', 'convention'),
        // The documentation says that it is refused, not that nothing comes of it; who tries again pays twice.
        ...(isAdded(limit)
          ? []
          : [declare(limit, 'refused-job', `A body that ${names} refuses for its size becomes no job`, 'convention')]),
      ];
    case 'queue':
      return [
        declare(limit, 'guarantee', `${names} is not refused for the queue while it is within its border`),
        declare(limit, 'enforced', `${names} is refused with ${limit.status} when the queue is beyond its border`),
        declare(limit, 'reopens', `${names} is taken again as soon as the queue is back at its border`),
        {
          ...declare(limit, 'lengths', `At which lengths of the queue ${names} was taken and refused`, 'observed'),
          clauses: ['gap.queue-counts-new'],
        },
      ];
    case 'retention':
      return [];
  }
}

/** Limits that are small enough to be exhausted again and again, while others ask. */
export const scopedLimits: readonly string[] = ['requests.rate', 'requests.concurrency', 'purge-queue.rate'];

export const scopeCheckId = (limitId: string): string => `${limitId}.scope`;

/** The documentation gives the numbers, and not whose requests they count. */
const scopeChecksOf = (table: LimitTable): LoadCheckDeclaration[] =>
  table.rows
    .filter(({ id }) => scopedLimits.includes(id))
    .map(({ id, kind, operations }) => ({
      id: scopeCheckId(id),
      title: `Whose ${kind === 'requests' ? 'requests' : 'requests at once'} of ${operations.join(', ')} are counted together`,
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
    title: 'health is never refused, also far beyond the highest rate limit',
    clauses: [`${operation('health').id}.unlimited`],
    level: 'documented',
    limitId: null,
  },
  {
    id: INFERENCE_PAYLOAD,
    title: 'The largest body that chat completions take',
    clauses: ['gap.inference-payload'],
    level: 'observed',
    limitId: null,
  },
  {
    id: CHAT_STREAM_TIMING,
    title: 'When the tokens of a streamed chat completion arrive',
    clauses: ['gap.chat-response'],
    level: 'observed',
    limitId: null,
  },
  {
    id: RESULT_STREAM_TIMING,
    title: 'When the results of a streaming job arrive',
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
    title: 'purge-queue on a full queue leaves running jobs alone',
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
