/** run takes a job and answers with its id at once, runsync when it is over; both read a submission, under one queue rule. */
import { type JobCall, readJson } from '../call.ts';
import { jobError, Refusal, tooManyRequests } from '../errors.ts';
import { type Job, type JobKind, type JobPolicy, record } from '../jobs/job.ts';
import { isFinal } from '../jobs/states.ts';
import { payloadOf, queueLimitOf } from '../limiters/effective.ts';
import { type ReferenceOptions, within } from '../options.ts';
import { json, type Reply } from '../reply.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
