/** Rows: what becomes of a job, and how the job operations answer. */
import { type Row, row } from './row.ts';
import { between, choice, onOff, whole } from './takes.ts';

const LARGEST_PAGE = 100_000;
const SECOND_MS = 1000;
const DAY_MS = 24 * 3600 * SECOND_MS;

/** A time that a client may request, milliseconds. */
export interface WaitRange {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** Its three rows: `what` is the sentence that each of them ends in its own way. */
function range<N extends string>(name: N, byDefault: WaitRange, what: string, fills: readonly string[]) {
  const bound = whole({ unit: 'ms' });
  const first = between('ms', { name: `${name}.min` }, `${name}.max`);
  return {
    [`${name}.default`]: row(first, byDefault.default, `${what}, where the client doesn't say.`, fills),
    [`${name}.min`]: row(bound, byDefault.min, `${what}: the least a client gets.`, fills),
    [`${name}.max`]: row(bound, byDefault.max, `${what}: the most a client gets.`, fills),
  } as { readonly [P in `${N}.${keyof WaitRange}`]: Row<number> };
}

export const jobs = {
  ...range(
    'runsyncWait',
    { default: 90 * SECOND_MS, min: 1, max: 300 * SECOND_MS },
    'How long runsync holds its answer for a job that runs (?wait=)',
    ['gap.runsync-response', 'gap.runsync-longer'],
  ),
  ...range(
    'statusSyncWait',
    { default: 90 * SECOND_MS, min: 1, max: 300 * SECOND_MS },
    'How long status-sync holds its answer (?wait=)',
    ['gap.status-sync-response'],
  ),
  ...range(
    'streamWait',
    { default: 5 * SECOND_MS, min: 0, max: 300 * SECOND_MS },
    'How long stream holds its answer for the next chunk (?wait=)',
    ['gap.stream-response'],
  ),
  ...range(
    'executionTimeout',
    { default: 600 * SECOND_MS, min: 5 * SECOND_MS, max: 7 * DAY_MS },
    'How long a job may run (policy.executionTimeout)',
    ['gap.submission-fields', 'gap.job-moves'],
  ),
  ...range(
    'ttl',
    { default: DAY_MS, min: 10 * SECOND_MS, max: 7 * DAY_MS },
    'How long a job lives from its submission (policy.ttl)',
    ['gap.submission-fields', 'gap.job-moves'],
  ),
  ttlWhileRunning: row(
    choice('forget', 'time-out'),
    'forget',
    'A running job whose time to live ends is forgotten (404), or becomes TIMED_OUT.',
    ['gap.job-moves', 'gap.job-states'],
  ),
  purgedJobs: row(
    choice('cancelled', 'forgotten'),
    'cancelled',
    'Jobs that a purge removed are CANCELLED and kept for their retention, or forgotten (404).',
    ['gap.purged-jobs', 'gap.job-moves', 'gap.purge-queue-availability'],
  ),
  retentionQuery: row(onOff, true, 'Whether status?ttl=MS shortens how long a finished job is kept.', [
    'gap.status-availability',
  ]),
  failureDetail: row(
    choice('message', 'exception'),
    'message',
    "The error of a failed job: its message, or the handler's exception as a JSON text.",
    ['gap.job-record'],
  ),
  streamChunkBytes: row(
    whole({ unit: 'bytes', min: 1 }),
    1024 * 1024,
    'Longest chunk a stream sends in one piece, as JSON; a longer one comes in several.',
    ['gap.stream-response'],
  ),
  requestsShape: row(
    choice('page', 'array'),
    'page',
    'Whether requests answers with a page (an object with requests and its position), or with a bare list.',
    ['gap.requests-response'],
  ),
  'requestsPage.default': row(
    between('entries', { min: 1 }, 'requestsPage.max'),
    50,
    "Entries of a page of requests, where the client doesn't say.",
    ['gap.requests-paging'],
  ),
  'requestsPage.max': row(
    whole({ unit: 'entries', min: 1, max: LARGEST_PAGE }),
    1000,
    'Most entries of a page of requests.',
    ['gap.requests-paging'],
  ),
};
