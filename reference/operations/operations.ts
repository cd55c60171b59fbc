/** The operations of interface B (spec 4.2): submissions under one queue rule, those about a job, those on a whole endpoint. */
import { isObject } from '../../schemas/json.ts';
import { type JobCall, readJson } from '../call.ts';
import { jobError, Refusal, tooManyRequests } from '../errors.ts';
import { type Job, type JobKind, type JobPolicy, record, summary } from '../jobs/job.ts';
import { isFinal } from '../jobs/states.ts';
import { payloadOf, queueLimitOf } from '../limiters/effective.ts';
import { type ReferenceOptions, within } from '../options.ts';
import { json, type Reply } from '../reply.ts';

/** The policies of submissions without options: one for all jobs of a service, since they keep it. */
const usual = new WeakMap<ReferenceOptions, JobPolicy>();

function policyOf(value: unknown, options: ReferenceOptions): JobPolicy {
  if (isObject(value)) return policyFrom(value, options);
  const policy = usual.get(options) ?? policyFrom({}, options);
  usual.set(options, policy);
  return policy;
}

function policyFrom(requested: Record<string, unknown>, options: ReferenceOptions): JobPolicy {
  return {
    executionTimeoutMs: within(options.executionTimeout, requested.executionTimeout),
    ttlMs: within(options.ttl, requested.ttl),
    lowPriority: requested.lowPriority === true,
  };
}

function refuseForQueue(call: JobCall, kind: JobKind): void {
  const { options, endpoint } = call;
  const limit = queueLimitOf(options, kind);
  if (!limit) return;
  const queued = endpoint.queued() + (options.queueMeasured === 'after' ? 1 : 0);
  if (!options.rules.queueRefuses(queued, endpoint.workersMax, limit)) return;
  const waitMs = options.retryAfterSeconds * 1000;
  throw new Refusal(tooManyRequests('jobs', 'too many requests: the queue is full', waitMs), 'queue');
}

/**
 * Takes a job in (spec 4.2, part 7, 8.2).
 * @throws Refusal: 413 (or as set) for the size, 400 for the body, 429 for the queue.
 */
export async function submit(call: JobCall, kind: JobKind): Promise<Job> {
  const declared = call.request.headers.get('content-length');
  const maxBytes = call.options.rules.payloadLimit(kind, payloadOf(call.options, kind), declared);
  const sent = await readJson(call, 'jobs', maxBytes, call.options.oversizeStatus);
  const body = call.options.rules.understood(kind, sent);
  if (!isObject(body)) throw new Refusal(jobError(400, 'bad request: body: not an object'));
  if (!('input' in body)) throw new Refusal(jobError(400, 'bad request: body: input is missing'));
  if (call.request.client.gone) throw call.signal.reason;
  refuseForQueue(call, kind);
  return call.endpoint.submit(kind, body.input, policyOf(body.policy, call.options));
}

/** Always 200 and IN_QUEUE, even where a worker took the job already: clients take any other 2xx for a failure. */
export async function run(call: JobCall): Promise<Reply> {
  const job = await submit(call, 'run');
  return json(200, { id: job.id, status: 'IN_QUEUE' });
}

/** runsync: takes a job and answers with its result, or with its state when the waiting time is over. */
export async function runsync(call: JobCall): Promise<Reply> {
  const { endpoint, options, query, signal } = call;
  const waitMs = options.rules.runsyncWait(within(options.runsyncWait, query.get('wait')));
  const job = await submit(call, 'runsync');
  await endpoint.watch(job, () => isFinal(job.state), waitMs, signal);
  return json(200, record(job));
}

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

/** Clears the queue; running jobs go on (spec 4.2). */
export async function purgeQueue(call: JobCall): Promise<Reply> {
  await call.arrived();
  return json(200, { removed: call.endpoint.purge(call.options.rules.purges), status: 'completed' });
}

export async function health(call: JobCall): Promise<Reply> {
  await call.arrived();
  return json(200, call.options.rules.health(call.endpoint.health()));
}

/** Known jobs, newest first, by pages: `?limit=` (at least 1, so that every page leads on) and `?offset=`. */
export async function requests(call: JobCall): Promise<Reply> {
  await call.arrived();
  const { query, options } = call;
  const page = options.requestsPage;
  const limit = Math.floor(within({ ...page, min: 1 }, query.get('limit')));
  const offset = Math.floor(within({ default: 0, min: 0, max: Number.MAX_SAFE_INTEGER }, query.get('offset')));
  const { jobs, total } = call.endpoint.list(offset, limit);
  const rows = jobs.map(summary);
  if (options.requestsShape === 'array') return json(200, rows);
  return json(200, { requests: rows, total, offset, limit, hasMore: offset + rows.length < total });
}
