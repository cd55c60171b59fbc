/** What the reference's own tests share: a service on a virtual clock, and short ways to send it requests. */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { operation, operationPath } from '../../schemas/operations.ts';
import { seeded } from '../../schemas/seeded.ts';
import { type VirtualClock, virtualClock } from '../clock.ts';
import { defaultOptions, type ReferenceOptions } from '../options.ts';
import { createService, type Service } from '../service.ts';

export const KEY = 'test-key';
export const BROKE_KEY = 'test-broke-key';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `undefined` when it is none. */
  readonly body: unknown;
}

export interface RequestParts {
  readonly method?: string;
  readonly body?: unknown;
  readonly rawBody?: string | ReadableStream<Uint8Array>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly address?: string;
  readonly received?: Promise<void>;
}

export interface Harness {
  readonly service: Service;
  readonly clock: VirtualClock;
  readonly options: ReferenceOptions;
  request(path: string, request?: RequestParts): Promise<Answer>;
  /** An operation on an instance, `inst-1` unless given otherwise. `query` begins with `?`. */
  job(
    id: DocumentedOperationId,
    request?: RequestParts & { instId?: string; jobId?: string; query?: string },
  ): Promise<Answer>;
  /** Submits a workload and returns the job's id. */
  submit(input: unknown, more?: { instId?: string; policy?: object }): Promise<string>;
  /** The state that status reports; the HTTP status where it isn't 200. */
  stateOf(jobId: string, instId?: string): Promise<string | number>;
}

/** A field of a JSON body, or undefined. */
export function field(body: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Reflect.get(value, key);
  }, body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A fresh service; the test's keys are KEY and BROKE_KEY. */
export function harness(overrides: Partial<ReferenceOptions> = {}): Harness {
  const clock = virtualClock();
  const options = { ...defaultOptions({}), accessKeys: [KEY], brokeKeys: [BROKE_KEY], ...overrides };
  const service = createService(options, { clock, random: seeded(1) });

  async function request(path: string, one: RequestParts = {}): Promise<Answer> {
    const body = one.rawBody ?? (one.body === undefined ? undefined : JSON.stringify(one.body));
    const sent = new Request(`http://reference${path}`, {
      method: one.method ?? 'GET',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...one.headers },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
      ...(one.signal ? { signal: one.signal } : {}),
    });
    const { address = '192.0.2.1', received } = one;
    const response = await service.handle(sent, { address, ...(received ? { received } : {}) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  const job: Harness['job'] = (id, one = {}) => {
    const { instId = 'inst-1', jobId, query = '', ...rest } = one;
    const path = operationPath(id, { instId, ...(jobId === undefined ? {} : { jobId }) });
    return request(path + query, { method: operation(id).methods[0] ?? 'GET', ...rest });
  };

  return {
    service,
    clock,
    options,
    request,
    job,
    async submit(input, { instId = 'inst-1', policy } = {}) {
      const answer = await job('run', { instId, body: { input, ...(policy ? { policy } : {}) } });
      return String(field(answer.body, 'id'));
    },
    async stateOf(jobId, instId = 'inst-1') {
      const answer = await job('status', { jobId, instId });
      return answer.status === 200 ? String(field(answer.body, 'status')) : answer.status;
    },
  };
}
