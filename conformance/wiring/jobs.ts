/**
 * Wiring of interface B: every configured instance responds, and the quick workload takes a known time. One whose
 * health is broken is still that service, and can be judged, when it accepts a job and knows it afterwards.
 */
import { setTimeout } from 'node:timers/promises';
import { hasOutput, isFinal, jobIdOf, stateOf } from '../../schemas/job-answer.ts';
import { walk } from '../../schemas/json.ts';
import { median } from '../../schemas/median.ts';
import {
  type DocumentedOperationId,
  type HttpMethod,
  isSubmitting,
  type OperationId,
  operation,
  operationPath,
  operations,
} from '../../schemas/operations.ts';
import { isAboutJob, type OwnOperation } from '../../schemas/own.ts';
import { BAD_CONTENT, NO_OPERATION } from '../../schemas/status.ts';
import { type DoneJobs, type EndpointConfig, UsageError } from '../../schemas/target.ts';
import { inputFor, withoutInput } from '../../schemas/workloads.ts';
import { workingEndpoint } from '../context.ts';
import { isAnswer } from '../reading/answer.ts';
import { durationOf, isOk, type Reply } from '../target/reply.ts';
import type { Target } from '../target/target.ts';
import { notAnswered, roundTripOf, SECOND_OPINION_MS, type Send, senderFor, unfit } from './request.ts';

const SAMPLES = 5;
const JOB_SAMPLES = 5;
/** A worker may have to start first; longer than this and the time is not known. */
const JOB_TIMEOUT_MS = 60_000;

/** A budget that is counted for each path would hold a burst on a single job. */
export const DONE_JOBS = 2;
/** How many status requests for each of them, and how long apart, ms. */
export const DONE_POLLS = 10;
const DONE_EVERY_MS = 200;

export interface JobsWiring {
  readonly roundTripMs: number;
  readonly quickJobMs: number | null;
  /** By operation. */
  readonly requestMs: Readonly<Record<string, number>>;
  /** By operation; of those that refuse a submission without an input. */
  readonly refusalMs: Readonly<Record<string, number>>;
  readonly doneJobs: DoneJobs;
  /** In place of the spec's, with the methods that are served. */
  readonly partly: readonly OwnOperation[];
  /** Operations about a job that nothing tells from one that doesn't exist. */
  readonly absent: readonly OperationId[];
}

export async function wireJobs(target: Target, signal: AbortSignal): Promise<JobsWiring> {
  const times = new Map<string, number[]>();
  const bare = senderFor(target, 'jobs', signal);
  const send: Send = async (one) => {
    const reply = await bare(one);
    if (one.operation) times.set(one.operation, [...(times.get(one.operation) ?? []), durationOf(reply)]);
    return reply;
  };
  const questions = new Map<string, Question>();
  for (const endpoint of target.config.endpoints) {
    questions.set(endpoint.instId, await questionFor(target, send, endpoint));
  }
  const endpoint = workingEndpoint(target);
  const question = endpoint === null ? undefined : questions.get(endpoint.instId);
  if (!endpoint || !question)
    return { roundTripMs: 0, quickJobMs: null, requestMs: {}, refusalMs: {}, doneJobs: {}, partly: [], absent: [] };
  const roundTripMs = await roundTripOf(question, SAMPLES);
  const quickJobMs = endpoint.workersMax === 0 ? null : await quickJobTime(target, send, endpoint.instId);
  const doneJobs: Record<string, readonly string[]> = {};
  // Where no job ends there is none to wait for.
  const working = target.config.endpoints.filter(({ workersMax }) => workersMax !== 0 && quickJobMs !== null);
  for (const { instId } of working) doneJobs[instId] = await makeDoneJobs(target, send, instId, signal);
  const submits = endpoint.dedicated && quickBody(target) !== null;
  const refusalMs = submits ? await refusalTimes(target, bare, endpoint.instId) : {};
  const requestMs = Object.fromEntries([...times].map(([id, all]) => [id, median(all)]));
  return { roundTripMs, quickJobMs, requestMs, refusalMs, doneJobs, ...(await servedAboutJobs(bare, doneJobs)) };
}

/** Of submissions without an input that are refused for that: a load of them makes no jobs. */
async function refusalTimes({ runId }: Target, send: Send, instId: string): Promise<Readonly<Record<string, number>>> {
  const times: Record<string, number> = {};
  for (const { id } of operations.filter((one) => isSubmitting(one.id))) {
    const path = operationPath(id, { instId });
    const request = {
      operation: id,
      method: 'POST',
      path,
      json: withoutInput(runId),
      timeoutMs: SECOND_OPINION_MS,
      breaks: 'the input',
    };
    const reply = await send(request).catch(notAnswered);
    if (reply && BAD_CONTENT.includes(reply.status)) times[id] = durationOf(reply);
  }
  return times;
}

/** Quick jobs that were seen to be over, in whatever way; fewer where that takes longer. */
async function makeDoneJobs(target: Target, send: Send, instId: string, signal: AbortSignal): Promise<string[]> {
  const body = quickBody(target);
  const done: string[] = [];
  for (let made = 0; body !== null && made < DONE_JOBS; made += 1) {
    const submitted = await call(send, 'run', 'POST', instId, body).catch(notAnswered);
    const jobId = submitted && isOk(submitted) ? jobIdOf(submitted.json) : null;
    if (jobId === null) return done;
    const { methods } = operation('status');
    for (let observations = 1; ; observations += 1) {
      const method = methods[(observations - 1) % methods.length] ?? 'GET';
      const status = { operation: 'status', method, path: operationPath('status', { instId, jobId }) } as const;
      const reply = await send(status).catch(notAnswered);
      if (reply && isOk(reply) && isFinal(stateOf(reply.json))) done.push(jobId);
      if (done.includes(jobId) || observations === DONE_POLLS) break;
      await setTimeout(DONE_EVERY_MS, undefined, { signal });
    }
  }
  return done;
}

/** No service has it. */
const NO_SUCH = 'proofload-no-such-operation';

/**
 * The operations about a job that serve some of their methods and not the others: what isn't about the method itself
 * uses one that is served, so that this fault hides no other. And those that seem to serve none: a job that has ended
 * may be answered 404 too, but hardly in the words for a path that isn't there.
 */
async function servedAboutJobs(send: Send, doneJobs: DoneJobs): Promise<Pick<JobsWiring, 'partly' | 'absent'>> {
  const [instId, [jobId] = []] = Object.entries(doneJobs).find(([, done]) => done.length > 0) ?? [];
  if (instId === undefined || jobId === undefined) return { partly: [], absent: [] };
  const partly: OwnOperation[] = [];
  const absent: OperationId[] = [];
  for (const row of operations.filter(isAboutJob)) {
    const path = operationPath(row.id, { instId, jobId });
    const methods: HttpMethod[] = [];
    let isAbsent = true;
    for (const method of row.methods) {
      const reply = await send({ operation: row.id, method, path, timeoutMs: SECOND_OPINION_MS }).catch(notAnswered);
      if (reply === null || !NO_OPERATION.includes(reply.status)) methods.push(method);
      else isAbsent &&= await isAsUnknown(send, row.id, method, path, reply);
    }
    if (methods.length === 0 && isAbsent) absent.push(row.id);
    if (methods.length > 0 && methods.length < row.methods.length) partly.push({ ...row, methods });
  }
  return { partly, absent };
}

/** Whether a path that isn't there is answered alike. */
async function isAsUnknown(send: Send, id: DocumentedOperationId, method: HttpMethod, path: string, reply: Reply) {
  const unknown = path.replace(`/${id}/`, `/${NO_SUCH}/`);
  const request = { operation: null, method, path: unknown, timeoutMs: SECOND_OPINION_MS, breaks: 'the path' };
  const other = await send(request).catch(notAnswered);
  return other?.status === reply.status && wordsOf(other, id) === wordsOf(reply, id);
}

/** What an answer says, without what differs from one to the next: the operation, ids and times. */
const wordsOf = ({ text }: Reply, id: string): string =>
  text
    .replaceAll(NO_SUCH, '')
    .replaceAll(id, '')
    .replace(/[\w.:+-]*\d[\w.:+-]*/g, '');

function call(
  send: Send,
  id: DocumentedOperationId,
  method: string,
  instId: string,
  json?: unknown,
  timeoutMs = JOB_TIMEOUT_MS,
): Promise<Reply> {
  const body = json === undefined ? {} : { json, timeoutMs };
  return send({ operation: id, method, path: operationPath(id, { instId }), ...body });
}

/** A harmless request that an instance has answered well. */
type Question = () => Promise<Reply>;

/** health, or where it is no good the status of a job: the complaint stands unless that comes. */
async function questionFor(target: Target, send: Send, endpoint: EndpointConfig): Promise<Question> {
  const { instId } = endpoint;
  const health: Question = () => call(send, 'health', 'GET', instId);
  try {
    expectHealth(target, endpoint, await health());
    return health;
  } catch (complaint) {
    if (!(complaint instanceof UsageError)) throw complaint;
    const body = quickBody(target);
    if (body === null) throw complaint;
    const submitted = await call(send, 'run', 'POST', instId, body, SECOND_OPINION_MS).catch(notAnswered);
    const jobId = submitted && isOk(submitted) ? jobIdOf(submitted.json) : null;
    if (jobId === null) throw complaint;
    for (const method of operation('status').methods) {
      const status: Question = () =>
        send({ operation: 'status', method, path: operationPath('status', { instId, jobId }) });
      const known = await status().catch(notAnswered);
      if (known !== null && isAnswer('status', known)) return status;
    }
    throw complaint;
  }
}

function expectHealth(target: Target, { instId }: EndpointConfig, reply: Reply): void {
  const where = target.address('jobs');
  if (reply.status === 404) throw new UsageError(`there is no instance ${instId} at ${where} (404); check --inst-id`);
  if (!isOk(reply)) throw unfit(target, 'jobs', `health of ${instId} did not succeed`, reply);
  if (reply.json === undefined) throw unfit(target, 'jobs', `health of ${instId} is not JSON`, reply);
  if (![...walk(reply.json)].some(({ value }) => typeof value === 'number' || typeof value === 'string')) {
    throw unfit(target, 'jobs', `health of ${instId} is empty`, reply);
  }
}

const quickBody = ({ config, runId }: Target) => inputFor(config.workloads, { echo: `proofload ${runId}` });

/** Median time of the quick workload, also where it fails; null where there is none, or it doesn't end. */
async function quickJobTime(target: Target, send: Send, instId: string): Promise<number | null> {
  const body = quickBody(target);
  if (body === null) return null;
  const times: number[] = [];
  while (times.length < JOB_SAMPLES) {
    const reply = await call(send, 'runsync', 'POST', instId, body).catch(notAnswered);
    if (reply === null || !isOk(reply)) return null;
    if (!isFinal(stateOf(reply.json)) && !hasOutput(reply.json)) return null;
    times.push(durationOf(reply));
  }
  return median(times);
}
