/** Interface A in a client's words. */
import { type DocumentedOperationId, operation } from '../../schemas/operations.ts';
import type { Reply } from './reply.ts';
import type { TargetRequest } from './target.ts';

export type Exchanger = (one: TargetRequest) => Promise<Reply>;

/** The options that any request can have, except its body. */
export type RequestOptions = Pick<
  TargetRequest,
  'auth' | 'headers' | 'body' | 'timeoutMs' | 'leavesAfter' | 'expects429' | 'breaks' | 'insists'
> & {
  readonly method?: string;
  readonly query?: string;
};

export interface ChatBody {
  readonly model?: unknown;
  readonly messages?: unknown;
  readonly [field: string]: unknown;
}

export class InferenceClient {
  readonly #exchange: Exchanger;

  constructor(exchange: Exchanger) {
    this.#exchange = exchange;
  }

  models(options: RequestOptions = {}): Promise<Reply> {
    return this.call('models', options);
  }

  /** One model, by an id whose slash stays a slash. */
  model(id: string): Promise<Reply> {
    const path = `${operation('models').path}/${id.split('/').map(encodeURIComponent).join('/')}`;
    return this.#exchange({ interface: 'inference', method: 'GET', path, operation: 'models' });
  }

  chat(json: ChatBody, options: RequestOptions = {}): Promise<Reply> {
    return this.call('chat', options, json);
  }

  completions(json: Readonly<Record<string, unknown>>, options: RequestOptions = {}): Promise<Reply> {
    return this.call('completions', options, json);
  }

  /** Any request to an operation, also one it should refuse. */
  call(id: DocumentedOperationId, options: RequestOptions = {}, json?: unknown): Promise<Reply> {
    const { method = operation(id).methods[0] ?? 'GET', query, ...rest } = options;
    const path = `${operation(id).path}${query ? `?${query}` : ''}`;
    const body = json === undefined ? {} : { json };
    return this.#exchange({ interface: 'inference', operation: id, method, path, ...body, ...rest });
  }

  /** Any path, known or not; counts against no budget. */
  path(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const { method: _method, query: _query, ...rest } = options;
    return this.#exchange({ interface: 'inference', operation: null, method, path, ...rest });
  }
}
