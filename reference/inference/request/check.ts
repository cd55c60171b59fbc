/** A request body against its schema; the first fault becomes the error clients know, with the path of the field. */
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
