/** One admitted request, as the operations see it. */
import type { InterfaceId } from '../schemas/operations.ts';
import { type RequestBody, readText } from './body.ts';
import type { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { badJson, errorReply, Refusal, tooLarge } from './errors.ts';
import type { Balancer } from './inference/balancer/balancer.ts';
import type { Endpoint } from './jobs/endpoint.ts';
import type { ReferenceOptions } from './options.ts';
import type { Reply } from './reply.ts';

/** Characters that one level takes at the least: a bracket that opens it and one that closes it. */
const LEVEL_CHARACTERS = 2;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string ends that begins at `from`; the end of the text where it doesn't. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((at - escapes) % 2 === 0) return at;
  }
  return text.length;
}

/**
 * Whether arrays and objects are nested deeper than `most`. JSON.parse takes any depth, but needs seconds and hundreds
 * of megabytes for 20 MB of brackets, and code that walks the result or writes it runs out of stack some thousand
 * levels down, when the body has been accepted. Strings are skipped, and a text too short to be that deep isn't read,
 * so that it costs next to nothing where bodies are small or long because of their strings. For a text that isn't JSON
 * the result means nothing.
 */
export function deeperThan(text: string, most: number): boolean {
  if (text.length <= most * LEVEL_CHARACTERS) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === ARRAY || character === OBJECT) {
      depth += 1;
      if (depth > most) return true;
    } else if (character === ARRAY_END || character === OBJECT_END) depth -= 1;
  }
  return false;
}

/** The part of a standard Request that the service needs; adapters may bring something lighter. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: RequestBody | null;
  readonly client: Client;
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
  /** Where interface A's work is done. */
  readonly balancer: Balancer;
  /** Resolves when the whole request has arrived; an operation that ignores the body waits for it all the same. */
  arrived(): Promise<void>;
}

export interface JobCall extends Call {
  readonly endpoint: Endpoint;
}

/** Of a header that an error repeats. */
const SHOWN_CHARACTERS = 40;

/** An operation: its answer, or a thrown Refusal. */
export type Perform<C extends Call> = (call: C) => Promise<Reply>;

/** The same 400 in the words of either interface. */
function unreadable(side: InterfaceId, what: string): Refusal {
  const message = side === 'inference' ? `The body of the request is ${what}.` : `bad request: body: ${what}`;
  return new Refusal(errorReply(side, 400, { message, type: 'invalid_request_error' }));
}

/**
 * RFC 9110, 15.5.16: a coding that isn't understood is a 415, which says what would be.
 * @throws Refusal
 */
function refuseCoding(side: InterfaceId, coding: string | null): void {
  if (coding === null || /^(?:identity)?$/i.test(coding)) return;
  const message = `The body must come as it is, without Content-Encoding: ${coding.slice(0, SHOWN_CHARACTERS)}`;
  const error = { message, type: 'invalid_request_error' };
  throw new Refusal(errorReply(side, 415, error, { 'accept-encoding': 'identity' }));
}

/**
 * The body as JSON.
 * @throws Refusal with `oversizeStatus` beyond `maxBytes`, with 415 when it is compressed, with 400 when it isn't JSON
 * in UTF-8 or is nested deeper than `maxJsonDepth`.
 */
export async function readJson(
  call: Call,
  side: InterfaceId,
  maxBytes: number,
  oversizeStatus: number,
): Promise<unknown> {
  const { body, headers } = call.request;
  refuseCoding(side, headers.get('content-encoding'));
  const read = await readText(body, headers.get('content-length'), maxBytes);
  if ('fault' in read) {
    if (read.fault === 'too-large') throw new Refusal(tooLarge(side, oversizeStatus, maxBytes), 'content-bytes');
    throw unreadable(side, 'not valid UTF-8');
  }
  const { maxJsonDepth } = call.options;
  if (deeperThan(read.text, maxJsonDepth)) throw unreadable(side, `nested more than ${maxJsonDepth} deep`);
  return parsed(side, read.text);
}

/** @throws Refusal with 400 */
function parsed(side: InterfaceId, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(badJson(side));
  }
}
