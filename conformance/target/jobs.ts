/** Interface B in a client's words. */
import { type DocumentedOperationId, type HttpMethod, operation, operationPath } from '../../schemas/operations.ts';
import { inputFor, lackWords, type Workloads, type WorkloadWish, workloadOf } from '../../schemas/workloads.ts';
import type { Exchanger, RequestOptions } from './inference.ts';
import type { Reply } from './reply.ts';
import { Skipped } from './signals.ts';

export interface JobRequestOptions extends RequestOptions {
  /** Another endpoint than the session's own. */
  readonly instId?: string;
  readonly jobId?: string;
}

export class JobsClient {
  readonly #exchange: Exchanger;
  readonly #workloads: Workloads | undefined;
  readonly #mark: string;
  readonly instId: string;

  /** @param mark stands in every job that is not given anything else to echo */
  constructor(exchange: Exchanger, instId: string, workloads?: Workloads, mark = 'proofload') {
    this.#exchange = exchange;
    this.instId = instId;
    this.#mark = mark;
    this.#workloads = workloads;
  }

  /** The same, on another endpoint. */
  at(instId: string): JobsClient {
    return new JobsClient(this.#exchange, instId, this.#workloads, this.#mark);
  }

  run(wish: WorkloadWish, options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('run', options, this.body(wish));
  }

  runsync(wish: WorkloadWish, options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('runsync', options, this.body(wish));
  }

  /**
   * The body of a submission that makes the deployed handler do this.
   *
   * @throws Skipped where the configuration says that it can't.
   */
  body(wish: WorkloadWish): { readonly input: unknown } {
    const body = inputFor(this.#workloads, 'echo' in wish ? wish : { echo: this.#mark, ...wish });
    if (body !== null) return body;
    throw new Skipped('configuration', lackWords(workloadOf(wish)));
  }

  status(jobId: string, method: HttpMethod = 'GET', options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('status', { ...options, jobId, method });
  }

  statusSync(jobId: string, method: HttpMethod = 'GET', options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('status-sync', { ...options, jobId, method });
  }

  stream(jobId: string, method: HttpMethod = 'GET', options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('stream', { ...options, jobId, method });
  }

  cancel(jobId: string): Promise<Reply> {
    return this.call('cancel', { jobId });
  }

  purgeQueue(): Promise<Reply> {
    return this.call('purge-queue');
  }

  health(): Promise<Reply> {
    return this.call('health');
  }

  requests(options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('requests', options);
  }

  /** Any request to an operation, also one it should refuse. */
  call(id: DocumentedOperationId, options: JobRequestOptions = {}, json?: unknown): Promise<Reply> {
    const { method = operation(id).methods[0] ?? 'GET', query, instId = this.instId, jobId, ...rest } = options;
    const parameters = { instId, ...(jobId === undefined ? {} : { jobId }) };
    const path = `${operationPath(id, parameters)}${query ? `?${query}` : ''}`;
    const body = json === undefined ? {} : { json };
    return this.#exchange({ interface: 'jobs', operation: id, method, path, ...body, ...rest });
  }

  /** Any path, known or not; counts against no budget. */
  path(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { method: _method, query: _query, ...rest } = options;
    return this.#exchange({ interface: 'jobs', operation: null, method, path, ...rest });
  }
}
