/**
 * Error answers. The spec shows no error body (part 7); interface A uses the envelope its clients parse, interface B
 * the one-field object of its clients' family.
 */
import type { LimitKind } from '../schemas/limits.ts';
import type { InterfaceId } from '../schemas/operations.ts';
import { json, type Reply } from './reply.ts';

/** What interface A's clients read out of an error. */
export interface InferenceError {
  readonly message: string;
  readonly type: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

/** An answer thrown from the middle of an operation. Not an Error: it needs no stack. */
export class Refusal {
  readonly reply: Reply;
  /** The limit that refused, where it was one. */
  readonly by: LimitKind | null;
  constructor(reply: Reply, by: LimitKind | null = null) {
    this.reply = reply;
    this.by = by;
  }
}

export function inferenceError(status: number, error: InferenceError, headers?: Record<string, string>): Reply {
  const { message, type, param = null, code = null } = error;
  return json(status, { error: { message, type, param, code } }, headers);
}

export function jobError(status: number, message: string, headers?: Record<string, string>): Reply {
  return json(status, { error: message }, headers);
}

/** The same refusal in the words of either interface. `code` is interface A's. */
export function errorReply(
  side: InterfaceId,
  status: number,
  error: InferenceError,
  headers?: Record<string, string>,
): Reply {
  return side === 'inference' ? inferenceError(status, error, headers) : jobError(status, error.message, headers);
}

const invalid = 'invalid_request_error';

/** 400 of interface A for one field. `param`: its path, null for the body as a whole. */
export function invalidField(message: string, param: string | null, code: string | null = 'invalid_value'): Refusal {
  return new Refusal(inferenceError(400, { message, type: invalid, param, code }));
}

export function notFound(side: InterfaceId, method: string, path: string): Reply {
  return errorReply(side, 404, {
    message: side === 'inference' ? `Invalid URL (${method} ${path})` : 'not found',
    type: invalid,
  });
}

export function methodNotAllowed(side: InterfaceId, method: string, path: string, allow: readonly string[]): Reply {
  const message = side === 'inference' ? `Not allowed to ${method} on ${path}` : 'method not allowed';
  return errorReply(side, 405, { message, type: invalid }, { allow: allow.join(', ') });
}

/** RFC 6585: 429 may say how long to wait. `waitMs` is rounded up to whole seconds, at least one. */
export function tooManyRequests(side: InterfaceId, message: string, waitMs: number): Reply {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return errorReply(
    side,
    429,
    { message, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    { 'retry-after': String(seconds) },
  );
}

export function tooLarge(side: InterfaceId, status: number, maxBytes: number): Reply {
  const message =
    side === 'inference'
      ? `Request body is larger than ${maxBytes} bytes.`
      : `bad request: body: exceeded max body size of ${maxBytes} bytes`;
  return errorReply(side, status, { message, type: invalid, code: 'request_too_large' });
}

export function badJson(side: InterfaceId): Reply {
  const message =
    side === 'inference' ? 'The body of the request is not valid JSON.' : 'bad request: body: not valid JSON';
  return errorReply(side, 400, { message, type: invalid });
}
