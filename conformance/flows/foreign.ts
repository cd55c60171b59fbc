/**
 * A job of ours as others see it: through another instance, or with the key of another account. Whatever they are
 * answered, nothing of the job may be in it, and nothing may have happened to the job.
 */
import { type CheckContext, shared } from '../context.ts';
import { chunkNumbersOf } from '../reading/chunks.ts';
import { stateOf } from '../reading/job.ts';
import { mentions } from '../reading/json.ts';
import type { JobRequestOptions } from '../target/jobs.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';
import { runningJob } from './queue.ts';
import { type QuickJob, quickJob } from './quick.ts';
import { readStream } from './stream.ts';
import { finish, poll, type Seen, submit } from './submit.ts';

const RUNNING_MS = 1500;
const CHUNKS = 2;

export type Stranger = 'instance' | 'account';

/** How a stranger asks. */
function manner(t: CheckContext, stranger: Stranger): JobRequestOptions {
  if (stranger === 'account') return { auth: 'other', breaks: 'the key of another account' };
  const other = t.target.config.endpoints.find((one) => one.instId !== t.endpoint.instId);
  return { instId: other?.instId ?? '' };
}

/**
 * Ground for every question about another account: that interface B asks for a key at all, since otherwise there are no
 * accounts there.
 */
export async function requireAccounts(t: CheckContext, jobId: string): Promise<void> {
  const reply = await t.jobs.call('status', { jobId, auth: 'none', breaks: 'no credential' });
  if (isOk(reply)) t.notObservable('an interface B that requires a key');
}

async function prepare(t: CheckContext, stranger: Stranger): Promise<QuickJob> {
  const job = await quickJob(t);
  t.requireOk(job.seen.reply);
  if (stranger === 'account') await requireAccounts(t, job.id);
  return job;
}

export interface Looked {
  readonly job: QuickJob;
  readonly status: Reply;
  readonly statusSync: Reply;
}

/** status and status-sync of a finished job of ours. */
export const looked = shared('looked', 'ground', async (t, stranger: Stranger): Promise<Looked> => {
  const job = await prepare(t, stranger);
  const options = { jobId: job.id, ...manner(t, stranger) };
  const status = await t.jobs.call('status', options);
  return { job, status, statusSync: await t.jobs.call('status-sync', options) };
});

/** Nothing of the job is given away. */
export function expectRefused(t: CheckContext, reply: Reply, { id, word }: QuickJob): void {
  const told =
    isOk(reply) && (mentions(reply.json, word) || mentions(reply.json, id) || stateOf(reply.json) !== 'unknown');
  t.expect(`${reply.request} with the other key`, 'nothing about the job', describe(reply), !told);
}

export interface Streamed {
  readonly theirs: Reply;
  /** The chunks that came to us afterwards. */
  readonly ours: readonly number[];
  readonly expected: readonly number[];
}

/** A stranger reads the stream of a job of ours before we do. */
export const streamed = shared('streamed', 'ground', async (t, stranger: Stranger): Promise<Streamed> => {
  await prepare(t, stranger);
  const job = await submit(t, { chunks: CHUNKS });
  await finish(t, job);
  const theirs = await t.jobs.call('stream', { jobId: job.id, ...manner(t, stranger) });
  const ours = (await readStream(t, job)).flatMap((reply) => chunkNumbersOf(reply.text));
  return { theirs, ours, expected: Array.from({ length: CHUNKS }, (_, index) => index) };
});

export interface Meddled {
  readonly theirs: Reply;
  /** Our job, after the stranger cancelled it. */
  readonly after: Seen;
}

/** A stranger cancels a running job of ours. */
export const meddled = shared('meddled', 'ground', async (t, stranger: Stranger): Promise<Meddled> => {
  await prepare(t, stranger);
  const job = await runningJob(t, RUNNING_MS);
  const theirs = await t.jobs.call('cancel', { jobId: job.id, ...manner(t, stranger) });
  return { theirs, after: await poll(t, job, () => true) };
});
