/** One admitted request, as the operations see it. */
import { readText } from './body.ts';
import type { Clock } from './clock.ts';
import { badJson, Refusal, tooLarge } from './errors.ts';
import type { Endpoint } from './jobs/endpoint.ts';
import type { ReferenceOptions } from './options.ts';
import type { Reply } from './reply.ts';

/** The part of a standard Request that the service needs; adapters may bring something lighter. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly signal: AbortSignal;
}

export interface Call {
  readonly request: ServiceRequest;
  readonly query: URLSearchParams;
  readonly parameters: Readonly<Record<string, string>>;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  readonly options: ReferenceOptions;
  readonly clock: Clock;
  readonly random: () => number;
  /** Resolves when the whole request has arrived; an operation that ignores the body waits for it all the same. */
  arrived(): Promise<void>;
}

export interface JobCall extends Call {
  readonly endpoint: Endpoint;
}

/** An operation: its answer, or a thrown Refusal. */
export type Perform<C extends Call> = (call: C) => Promise<Reply>;

/**
 * The body as JSON.
 * @throws Refusal with `oversizeStatus` beyond `maxBytes`, with 400 when it isn't JSON.
 */
export async function readJson(
  call: Call,
  side: 'inference' | 'jobs',
  maxBytes: number,
  oversizeStatus: number,
): Promise<unknown> {
  const { body, headers } = call.request;
  const read = await readText(body, headers.get('content-length'), maxBytes);
  if ('tooLarge' in read) throw new Refusal(tooLarge(side, oversizeStatus, maxBytes), 'content-bytes');
  try {
    return JSON.parse(read.text);
  } catch {
    throw new Refusal(badJson(side));
  }
}
