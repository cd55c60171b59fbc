/**
 * Part 8 of the documentation and the queue rule of part 7: one clause per row of the limits table, worded from the
 * row itself so that no number is written twice.
 */
import { type Limit, limits } from '../limits.ts';
import { type Clause, convention, promise, unseen, unseenGap } from './clause.ts';

const SECOND_MS = 1000;

function duration(ms: number): string {
  const seconds = ms / SECOND_MS;
  return seconds > 60 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

/** A limit in words, with the numbers of its row. */
export function limitText(limit: Limit): string {
  const names = limit.operations.join(', ');
  const together = limit.operations.length > 1 ? ' together' : '';
  switch (limit.kind) {
    case 'requests':
      return `${names}${together}: ${limit.value} requests in any ${duration(limit.windowMs)}.`;
    case 'concurrent-requests': {
      const per = limit.per === 'address' ? 'client address' : 'endpoint';
      return `${names}${together}: ${limit.value} requests at once per ${per}.`;
    }
    case 'content-bytes':
      return `${names}: a body of ${limit.value} bytes is taken, one of more than ${limit.upperReading} is not.`;
    case 'queue':
      return (
        `${names}: refused with ${limit.status} for the queue exactly while it holds more than ${limit.value} jobs ` +
        `and more than ${limit.perWorker} for each worker the endpoint may have.`
      );
    case 'retention':
      return `${names}: a finished job stays available for ${duration(limit.value)}.`;
  }
}

const rows: readonly Clause[] = limits.map((limit) =>
  promise(limit.section, limit.id, limitText(limit), limit.operations),
);

export const part8: readonly Clause[] = [
  ...rows,
  unseen(
    '8.1',
    'inference.no-daily-limit',
    'Requests and tokens of interface A are not limited by the day.',
    'a day of load, and even that proves nothing about the next; a refusal within the other limits disproves it',
    ['models', 'chat', 'completions'],
  ),
  unseen('8.1', 'inference.higher-limits', 'Enterprises can ask for higher limits.', 'the sales team'),
  unseenGap(
    '8.1',
    'inference-payload',
    'The largest body of interface A.',
    'very large requests, which cost tokens and which nobody has promised to take',
    ['chat', 'completions'],
  ),
  promise('8.2', 'health.unlimited', 'health has no limit.', ['health']),
  unseenGap(
    '8.2',
    'small-bodies',
    'A largest body of the operations that submit nothing.',
    'a use for a large body there',
    ['status', 'status-sync', 'stream', 'cancel', 'purge-queue', 'requests'],
  ),
  convention('8.2', 'jobs.expired', 'A job whose time of availability is over gets 404.', ['status']),
];
