/**
 * Part 8 of the documentation and the queue rule of part 7: one clause per row of the limits table, worded from the
 * row itself so that no number is written twice.
 */
import { limitText } from '../limit-kinds.ts';
import { limits } from '../limits.ts';
import type { DocumentedOperationId } from '../operations.ts';
import { type Clause, COMPLETING, INFERENCE, READING, section } from './clause.ts';

const { convention, gap, promise, unobservableGap } = section('8.2');
const in81 = section('8.1');

const rows: readonly Clause[] = limits.map((limit) =>
  section(limit.section).promise(limit.id, limitText(limit), limit.operations),
);

/** The cells of the payload column without a number. */
const noPayload: readonly Clause[] = [
  ['status-payload', 'status, status-sync or stream', READING] as const,
  ['cancel-payload', 'cancel', ['cancel']] as const,
  ['purge-queue-payload', 'purge-queue', ['purge-queue']] as const,
  ['requests-payload', 'requests', ['requests']] as const,
].map(([id, words, operations]: readonly [string, string, readonly DocumentedOperationId[]]) =>
  unobservableGap(id, `The largest body that ${words} takes.`, 'a use for a large body there', operations),
);

export const part8: readonly Clause[] = [
  ...rows,
  in81.unobservable(
    'inference.no-daily-limit',
    'Requests of interface A are not limited by the day.',
    'a day of load, and even that proves nothing about the next; a refusal within the other limits disproves it',
    INFERENCE,
  ),
  in81.unobservable(
    'inference.no-token-limit',
    'Tokens of interface A are not limited by the day.',
    'a day of completions, whose tokens are paid for; a refusal within the other limits disproves it',
    COMPLETING,
  ),
  in81.unobservable('inference.higher-limits', 'Enterprises can request higher limits.', 'the sales team', INFERENCE),
  in81.gap('inference-payload', 'The largest body of interface A.', COMPLETING),
  promise('health.unlimited', 'health has no limit.', ['health']),
  ...noPayload,
  gap('status-availability', 'Whether a request for a job changes how long it is available.', READING),
  gap('cancel-availability', 'How long a cancelled or failed job stays available.', ['cancel', 'status']),
  gap('purge-queue-availability', 'How long a purged job stays available.', ['purge-queue', 'status']),
  gap('requests-availability', 'How long an ended job stays listed.', ['requests']),
  gap('limit-scope', 'Whose requests a limit counts together: those of an endpoint, a key or an address.', [
    'requests',
    'purge-queue',
  ]),
  unobservableGap(
    'purge-queue-concurrency',
    'How many purges may run at once.',
    'more purges at once than its rate limit lets through in one window',
    ['purge-queue'],
  ),
  convention(
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
