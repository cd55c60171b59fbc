/**
 * Part 8 of the documentation and the queue rule of part 7: one clause per row of the limits table, worded from the
 * row itself so that no number is written twice.
 */
import { limitText } from '../limit-kinds.ts';
import { limits } from '../limits.ts';
import type { DocumentedOperationId } from '../operations.ts';
import { type Clause, convention, gap, promise, unobservable, unobservableGap } from './clause.ts';

const rows: readonly Clause[] = limits.map((limit) =>
  promise(limit.section, limit.id, limitText(limit), limit.operations),
);

/** The cells of the payload column without a number. */
const noPayload: readonly Clause[] = [
  ['status-payload', 'status, status-sync or stream', ['status', 'status-sync', 'stream']] as const,
  ['cancel-payload', 'cancel', ['cancel']] as const,
  ['purge-queue-payload', 'purge-queue', ['purge-queue']] as const,
  ['requests-payload', 'requests', ['requests']] as const,
].map(([id, words, operations]: readonly [string, string, readonly DocumentedOperationId[]]) =>
  unobservableGap('8.2', id, `The largest body that ${words} takes.`, 'a use for a large body there', operations),
);

const INFERENCE = ['models', 'chat', 'completions'] as const;
const STATUS = ['status', 'status-sync', 'stream'] as const;

export const part8: readonly Clause[] = [
  ...rows,
  unobservable(
    '8.1',
    'inference.no-daily-limit',
    'Requests of interface A are not limited by the day.',
    'a day of load, and even that proves nothing about the next; a refusal within the other limits disproves it',
    INFERENCE,
  ),
  unobservable(
    '8.1',
    'inference.no-token-limit',
    'Tokens of interface A are not limited by the day.',
    'a day of completions, whose tokens are paid for; a refusal within the other limits disproves it',
    ['chat', 'completions'],
  ),
  unobservable('8.1', 'inference.higher-limits', 'Enterprises can request higher limits.', 'the sales team', INFERENCE),
  gap('8.1', 'inference-payload', 'The largest body of interface A.', ['chat', 'completions']),
  promise('8.2', 'health.unlimited', 'health has no limit.', ['health']),
  ...noPayload,
  gap('8.2', 'status-availability', 'Whether a request for a job changes how long it is available.', STATUS),
  gap('8.2', 'cancel-availability', 'How long a cancelled or failed job stays available.', ['cancel', 'status']),
  gap('8.2', 'purge-queue-availability', 'How long a purged job stays available.', ['purge-queue', 'status']),
  gap('8.2', 'requests-availability', 'How long an ended job stays listed.', ['requests']),
  gap('8.2', 'limit-scope', 'Whose requests a limit counts together: those of an endpoint, a key or an address.', [
    'requests',
    'purge-queue',
  ]),
  unobservableGap(
    '8.2',
    'purge-queue-concurrency',
    'How many purges may run at once.',
    'more purges at once than its rate limit lets through in one window',
    ['purge-queue'],
  ),
  convention(
    '8.2',
    'jobs.expired',
    'A job whose time of availability is over is refused for good: a 4xx, usually 404.',
    'how long a job is available is documented, what is returned afterwards is not',
    {
      'runpod (Python)': 'ends the stream of a cancelled job only with the refusal of its forgotten id',
      'runpod-sdk (npm)': 'polls a job without a state for ever',
    },
    ['status', 'status-sync', 'stream', 'cancel'],
  ),
];
