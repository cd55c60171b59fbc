/** The body of POST /v1/completions. */
import { lazyValidator } from '../../ajv.ts';
import { type CommonRequest, check, commonProperties, flag, integer, invalid, optional } from './common.ts';

const token = { type: 'integer', minimum: 0 };
const list = (items: object): object => ({ type: 'array', minItems: 1, items });

const prompt = { anyOf: [{ type: 'string' }, list({ type: 'string' }), list(token), list(list(token))] };

export const completionSchema = {
  type: 'object',
  required: ['model', 'prompt'],
  properties: {
    ...commonProperties,
    prompt,
    // None at all is a way to have the prompt itself judged: with echo and logprobs.
    max_tokens: integer(0),
    best_of: integer(0, 20),
    echo: flag,
    suffix: optional({ type: 'string' }),
    logprobs: integer(0, 5),
  },
};

export interface CompletionRequest extends CommonRequest {
  readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly best_of?: number | null;
  readonly echo?: boolean | null;
  readonly suffix?: string | null;
  readonly logprobs?: number | null;
}

const completionValidator = lazyValidator<CompletionRequest>(completionSchema, { strict: false });

/** @throws Refusal with 400 and the field at fault. */
export function asCompletionRequest(body: unknown): CompletionRequest {
  const asked = check(completionValidator(), body);
  const { best_of: bestOf = null, n, stream } = asked;
  if (bestOf === null) return asked;
  if (bestOf < (n ?? 1)) throw invalid('best_of must not be less than n.', 'best_of');
  if (stream && bestOf > 1) throw invalid('best_of texts cannot be compared while they are streamed.', 'best_of');
  return asked;
}
