/** Interface B in a client's words. */
import { type DocumentedOperationId, type HttpMethod, operationPath } from '../../schemas/operations.ts';
import { operationIn } from '../../schemas/own.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { inputFor, lackWords, type WorkloadWish, workloadOf } from '../../schemas/workloads.ts';
import type { Exchanger, RequestOptions } from './inference.ts';
import type { Reply } from './reply.ts';
import { Skipped } from './signals.ts';

export interface JobRequestOptions extends RequestOptions {
  /** Another endpoint than the session's own. */
  readonly instId?: string;
  readonly jobId?: string;
}

type Configured = Pick<TargetConfig, 'operations' | 'workloads'>;

export class JobsClient {
  readonly #exchange: Exchanger;
  readonly #config: Configured;
  readonly #mark: string;
  readonly instId: string;

  /** @param mark stands in every job that is not given anything else to echo */
  constructor(exchange: Exchanger, instId: string, config: Configured = {}, mark = 'proofload') {
    this.#exchange = exchange;
    this.instId = instId;
    this.#mark = mark;
    this.#config = config;
  }

  /** The same, on another endpoint. */
  at(instId: string): JobsClient {
    return new JobsClient(this.#exchange, instId, this.#config, this.#mark);
  }

  /** Those that are served of an operation, the usual one first. */
  methods(id: DocumentedOperationId): readonly HttpMethod[] {
    return operationIn(this.#config.operations, id).methods;
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
    const body = inputFor(this.#config.workloads, 'echo' in wish ? wish : { echo: this.#mark, ...wish });
    if (body !== null) return body;
    throw new Skipped('configuration', lackWords(workloadOf(wish)));
  }

  status(jobId: string, options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('status', { ...options, jobId });
  }

  statusSync(jobId: string, options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('status-sync', { ...options, jobId });
  }

  stream(jobId: string, options: JobRequestOptions = {}): Promise<Reply> {
    return this.call('stream', { ...options, jobId });
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
    const { method = this.methods(id)[0] ?? 'GET', query, instId = this.instId, jobId, ...rest } = options;
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
