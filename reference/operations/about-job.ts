/** Operations on the job that a path names: status and status-sync, stream, cancel (spec 4.2). */
import type { JobCall } from '../call.ts';
import { jobError, Refusal } from '../errors.ts';
import { type Job, record } from '../jobs/job.ts';
import { isFinal } from '../jobs/states.ts';
import { within } from '../options.ts';
import { json, type Reply } from '../reply.ts';

/**
 * Waits for the whole request first: a request counts as in flight until all of it has arrived.
 * @throws Refusal with 404 for a job that never was or is no longer kept.
 */
export async function findJob(call: JobCall): Promise<Job> {
  await call.arrived();
  const job = call.endpoint.find(call.parameters.job_id ?? '');
  if (!job) throw new Refusal(jobError(404, 'job not found'));
  return job;
}

/** cancel: stops a queued or running job; the record of a finished one is returned unchanged. */
export async function cancel(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  if (isFinal(job.state)) return json(200, record(job));
  if (!call.options.rules.cancels(job.state)) return json(200, { id: job.id, status: 'CANCELLED' });
  call.endpoint.cancel(job);
  return json(200, record(job));
}

// status and status-sync: the job's record, at once or when it is final.

const ANY_TIME = { default: Number.POSITIVE_INFINITY, min: 0, max: Number.POSITIVE_INFINITY };

function answer(call: JobCall, job: Job): Reply {
  const id = call.options.rules.statusId(job.id, () => call.endpoint.ids());
  return json(200, { ...record(job), id });
}

/** `?ttl=` milliseconds: from now on the job, if it is final, is kept no longer than that after it finished. */
export async function status(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  const requested = within(ANY_TIME, call.query.get('ttl'));
  if (call.options.retentionQuery) call.endpoint.shorten(job, requested);
  return answer(call, job);
}

/** Clients poll it without a pause, so it has to wait (`?wait=` milliseconds) while the job isn't final. */
export async function statusSync(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  const { rules, statusSyncWait } = call.options;
  const waitMs = rules.statusSyncWait(within(statusSyncWait, call.query.get('wait')), call.request.method);
  await call.endpoint.watch(job, () => isFinal(job.state), waitMs, call.signal);
  return answer(call, job);
}

/**
 * stream: the chunks a job has yielded since the last call. Clients stop at the first final state, so that answer holds
 * every chunk that is left; and they call again without a pause, so a call without news waits a while.
 */
export async function stream(call: JobCall): Promise<Reply> {
  const job = await findJob(call);
  const { clock, endpoint, options, query, signal } = call;
  const ready = (): number => options.rules.streamable(job.chunks?.length ?? 0, job.state);
  const news = (): boolean => isFinal(job.state) || ready() > job.delivered;
  const end = clock.now() + within(options.streamWait, query.get('wait'));
  // Another call may have been quicker at the chunk that woke both; then this one waits for the next.
  do await endpoint.watch(job, news, end - clock.now(), signal);
  while (!news() && clock.now() < end);
  // Chunks are sent once: not to a client that has disconnected.
  signal.throwIfAborted();
  const until = Math.max(job.delivered, ready());
  const chunks = job.chunks?.slice(job.delivered, until) ?? [];
  job.delivered = until;
  return json(200, { id: job.id, status: job.state, stream: chunks.map((output) => ({ output })) });
}
