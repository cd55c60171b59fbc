/**
 * The request fields that chat and text completions share, with the bounds that the convention gives them. `null`
 * stands for "not given" everywhere. What is known but makes no difference is checked all the same; what is unknown is
 * ignored.
 */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { inferenceError, Refusal } from '../../errors.ts';

/** 400 for one field. `param`: its path, null for the body as a whole. */
export function invalid(message: string, param: string | null, code: string | null = 'invalid_value'): Refusal {
  return new Refusal(inferenceError(400, { message, type: 'invalid_request_error', param, code }));
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** @throws Refusal with 400 and the field at fault. */
export function check<T extends { stream?: boolean | null; stream_options?: unknown }>(
  validate: ValidateFunction<T>,
  body: unknown,
): T {
  if (!validate(body)) {
    const [fault] = validate.errors ?? [];
    const path = (fault?.instancePath ?? '').split('/').filter(Boolean).map(unescaped);
    const missing = fault?.keyword === 'required';
    if (missing) path.push(String(fault.params.missingProperty));
    const param = path.length > 0 ? path.join('.') : null;
    const code = missing ? 'missing_required_parameter' : 'invalid_value';
    throw invalid(`Invalid request: ${param ?? 'the body'} ${fault?.message ?? 'is not valid'}.`, param, code);
  }
  if (body.stream_options && !body.stream)
    throw invalid('stream_options may be given only with stream.', 'stream_options');
  return body;
}

const text = { type: 'string' };

/** The schema, or null. Works on types because an `anyOf` would say "must be null" of a wrong number. */
export function optional(schema: { type: string | readonly string[]; [keyword: string]: unknown }): object {
  return { ...schema, type: [schema.type, 'null'].flat() };
}

export const oneOf = (...values: readonly string[]): object => ({ enum: [...values, null] });

export const integer = (minimum: number, maximum?: number): object =>
  optional({ type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });

export const flag = optional({ type: 'boolean' });

const number = (minimum: number, maximum: number): object => optional({ type: 'number', minimum, maximum });

export const commonProperties = {
  model: { type: 'string', minLength: 1 },
  n: integer(1, 128),
  temperature: number(0, 2),
  top_p: number(0, 1),
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  logit_bias: optional({ type: 'object', additionalProperties: { type: 'number', minimum: -100, maximum: 100 } }),
  stop: optional({ type: ['string', 'array'], items: text, minItems: 1, maxItems: 4 }),
  stream: flag,
  stream_options: optional({ type: 'object', properties: { include_usage: flag, include_obfuscation: flag } }),
  seed: optional({ type: 'integer' }),
  user: optional(text),
};

export interface CommonRequest {
  readonly model: string;
  readonly n?: number | null;
  readonly max_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean | null } | null;
  readonly seed?: number | null;
}
