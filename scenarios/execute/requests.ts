/**
 * What a probe sends, as data: method, URL and body of each operation with a harmless workload. Shared by the k6
 * scripts and the held-request sender, so that both put the same requests on a target. Sends nothing itself.
 */
import { ACCEPT, filledPath, type HttpMethod, isSubmitting, type OperationId } from '../../schemas/operations.ts';
import { type OwnOperation, operationIn } from '../../schemas/own.ts';
import { inputFor, type Workloads, type WorkloadWish, workloadOf } from '../../schemas/workloads.ts';

/** The part of a target that requests are built from; the same struct goes to k6 as JSON. Never holds a key. */
export interface Addresses {
  readonly baseUrl: string | null;
  readonly jobBaseUrl: string | null;
  readonly model: string | null;
  readonly takesMaxTokens?: boolean;
  readonly instId: string;
  /** Part of every body and of the user agent, so that the operator of the target can identify the load. */
  readonly runId: string;
  /** Jobs that are done, which requests about a job may be about. */
  readonly doneJobs?: readonly string[];
  /** What the deployed handler takes; absent: what the reference's takes. */
  readonly workloads?: Workloads;
  /** Those that the target has beyond the spec's. */
  readonly operations?: readonly OwnOperation[];
}

export interface OutgoingRequest {
  readonly operation: OperationId;
  readonly method: HttpMethod;
  readonly url: string;
  /** JSON text; null sends no body. */
  readonly body: string | null;
  /** Of the job that it is about. */
  readonly jobId?: string | undefined;
}

export interface RequestChoices {
  /** Default: the first method of the operations table. */
  readonly method?: HttpMethod | undefined;
  readonly jobId?: string | undefined;
  readonly body?: string | null;
  readonly query?: Readonly<Record<string, string | number>>;
}

const runWord = ({ runId }: Addresses): string => `proofload ${runId}`;

/** Throws when the target has no such workload, which the planner must have excluded. */
function job(addresses: Addresses, wish: WorkloadWish): string {
  const body = inputFor(addresses.workloads, { echo: runWord(addresses), ...wish });
  if (body === null) throw new Error(`the target has no ${workloadOf(wish)} workload`);
  return JSON.stringify(body);
}

/** A load sends thousands of them, and all are the same. */
const quickJobs = new WeakMap<Addresses, string>();

/** A job that is done as soon as a worker has it. */
export function quickJob(addresses: Addresses): string {
  const known = quickJobs.get(addresses) ?? job(addresses, { delay_ms: 0 });
  quickJobs.set(addresses, known);
  return known;
}

/** The output of a job with this mark: it distinguishes the job from all others of the run. */
export const markedWord = (addresses: Addresses, mark: string): string => `${runWord(addresses)} ${mark}`;

/** The same with a word of its own instead of the run's. */
export function markedJob(addresses: Addresses, mark: string): string {
  return job(addresses, { echo: markedWord(addresses, mark), delay_ms: 0 });
}

/** A job that keeps a worker busy for `delayMs` milliseconds. */
export function slowJob(addresses: Addresses, delayMs: number): string {
  return job(addresses, { delay_ms: Math.max(1, Math.round(delayMs)) });
}

/** A job that makes `count` results one by one, `apartMs` milliseconds from one another. */
export function streamingJob(addresses: Addresses, count: number, apartMs: number): string {
  return job(addresses, { chunks: count, chunk_delay_ms: apartMs });
}

/**
 * A chat or text completion of interface A, of at most `maxTokens` tokens where the target takes such a bound.
 * @param more further fields
 */
export function generation(
  id: OperationId,
  addresses: Addresses,
  maxTokens: number,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const { model, takesMaxTokens = true } = addresses;
  const prompt = `Count upwards from one, in words. (${runWord(addresses)})`;
  const requested = id === 'completions' ? { prompt } : { messages: [{ role: 'user', content: prompt }] };
  return JSON.stringify({ model, ...requested, ...(takesMaxTokens ? { max_tokens: maxTokens } : {}), ...more });
}

/** Throws when the operation's interface has no address, which the planner must have excluded. */
export function outgoing(addresses: Addresses, id: OperationId, choices: RequestChoices = {}): OutgoingRequest {
  const row = operationIn(addresses.operations, id);
  const base = row.interface === 'jobs' ? addresses.jobBaseUrl : addresses.baseUrl;
  if (base === null) throw new Error(`no address for operation '${id}'`);
  const path = filledPath(row, { instId: addresses.instId, jobId: choices.jobId ?? 'unknown' });
  const query = Object.entries(choices.query ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const method = choices.method ?? row.methods[0] ?? 'GET';
  return {
    operation: id,
    method,
    url: base.replace(/\/+$/, '') + path + (query.length ? `?${query.join('&')}` : ''),
    body: choices.body === undefined ? defaultBody(addresses, id, method) : choices.body,
    ...(row.path.includes('{job_id}') && choices.jobId !== undefined ? { jobId: choices.jobId } : {}),
  };
}

/**
 * The requests that a paced or spread load goes through in turn: every operation, each time with its next method.
 * `index` counts requests from 0.
 */
export function inTurn(
  ids: readonly OperationId[],
  index: number,
  own?: readonly OwnOperation[],
): { id: OperationId; method: HttpMethod } {
  const id = idInTurn(ids, index);
  const { methods } = operationIn(own, id);
  return { id, method: methods[Math.floor(index / ids.length) % methods.length] ?? 'GET' };
}

/** Which operation's turn it is. */
export const idInTurn = (ids: readonly OperationId[], index: number): OperationId =>
  ids[index % ids.length] ?? 'health';

function defaultBody(addresses: Addresses, id: OperationId, method: HttpMethod): string | null {
  if (isSubmitting(id)) return quickJob(addresses);
  if (id === 'chat' || id === 'completions') return generation(id, addresses, 1);
  const own = addresses.operations?.find((one) => one.id === id);
  return own?.body === undefined || method === 'GET' ? null : JSON.stringify(own.body);
}

export const userAgentOf = ({ runId }: Pick<Addresses, 'runId'>): string => `proofload (run ${runId})`;

/**
 * Header fields of every request except its user agent, which k6 sets by itself. The key stays in memory: callers must
 * not log the result.
 */
export function headersFor(key: string | null, body: boolean): Record<string, string> {
  return {
    Accept: ACCEPT,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
  };
}
