/** Rows: what becomes of a job, and how the job operations answer. */
import type { Row, Rows } from './row.ts';
import { between, choice, onOff, whole } from './takes.ts';

const LARGEST_PAGE = 100_000;

interface RangeRows {
  readonly default: Row<never>;
  readonly min: Row<never>;
  readonly max: Row<never>;
}

/** The three rows of a time that a client may ask for: `what` is the sentence that each of them ends in its own way. */
function range(name: string, what: string, fills: readonly string[]): RangeRows {
  const bound = whole({ unit: 'ms' });
  return {
    default: {
      takes: between('ms', { name: `${name}.min` }, `${name}.max`),
      meaning: `${what}, where the client doesn't say.`,
      fills,
    },
    min: { takes: bound, meaning: `${what}: the least a client gets.`, fills },
    max: { takes: bound, meaning: `${what}: the most a client gets.`, fills },
  };
}

const runsyncWait = range('runsyncWait', 'How long runsync holds its answer for a job that runs (?wait=)', [
  'gap.runsync-response',
  'gap.runsync-longer',
]);
const statusSyncWait = range('statusSyncWait', 'How long status-sync holds its answer (?wait=)', [
  'gap.status-sync-response',
]);
const streamWait = range('streamWait', 'How long stream holds its answer for the next chunk (?wait=)', [
  'gap.stream-response',
]);
const executionTimeout = range('executionTimeout', 'How long a job may run (policy.executionTimeout)', [
  'gap.submission-fields',
  'gap.job-moves',
]);
const ttl = range('ttl', 'How long a job lives from its submission (policy.ttl)', [
  'gap.submission-fields',
  'gap.job-moves',
]);

export const jobs = {
  'runsyncWait.default': runsyncWait.default,
  'runsyncWait.min': runsyncWait.min,
  'runsyncWait.max': runsyncWait.max,
  'statusSyncWait.default': statusSyncWait.default,
  'statusSyncWait.min': statusSyncWait.min,
  'statusSyncWait.max': statusSyncWait.max,
  'streamWait.default': streamWait.default,
  'streamWait.min': streamWait.min,
  'streamWait.max': streamWait.max,
  'executionTimeout.default': executionTimeout.default,
  'executionTimeout.min': executionTimeout.min,
  'executionTimeout.max': executionTimeout.max,
  'ttl.default': ttl.default,
  'ttl.min': ttl.min,
  'ttl.max': ttl.max,
  ttlWhileRunning: {
    takes: choice('forget', 'time-out'),
    meaning: 'A running job whose time to live ends is forgotten (404), or becomes TIMED_OUT.',
    fills: ['gap.job-moves', 'gap.job-states'],
  },
  purgedJobs: {
    takes: choice('cancelled', 'forgotten'),
    meaning: 'Jobs that a purge removed are CANCELLED and kept for their retention, or forgotten (404).',
    fills: ['gap.purged-jobs', 'gap.job-moves', 'gap.purge-queue-availability'],
  },
  retentionQuery: {
    takes: onOff,
    meaning: 'Whether status?ttl=MS shortens how long a finished job is kept.',
    fills: ['gap.status-availability'],
  },
  failureDetail: {
    takes: choice('message', 'exception'),
    meaning: "The error of a failed job: its message, or the handler's exception as a JSON text.",
    fills: ['gap.job-record'],
  },
  streamChunkBytes: {
    takes: whole({ unit: 'bytes', min: 1 }),
    meaning: 'Longest chunk a stream hands out in one piece, as JSON; a longer one comes in several.',
    fills: ['gap.stream-response'],
  },
  requestsShape: {
    takes: choice('page', 'array'),
    meaning: 'Whether requests answers with a page (an object with requests and its position), or with a bare list.',
    fills: ['gap.requests-response'],
  },
  'requestsPage.default': {
    takes: between('entries', { min: 1 }, 'requestsPage.max'),
    meaning: "Entries of a page of requests, where the client doesn't say.",
    fills: ['gap.requests-paging'],
  },
  'requestsPage.max': {
    takes: whole({ unit: 'entries', min: 1, max: LARGEST_PAGE }),
    meaning: 'Most entries of a page of requests.',
    fills: ['gap.requests-paging'],
  },
} satisfies Partial<Rows>;
