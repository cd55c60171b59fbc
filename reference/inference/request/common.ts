/**
 * The request fields that chat and text completions share, with the bounds that the convention gives them. `null`
 * stands for "not given" everywhere. What is known but makes no difference is checked all the same; what is unknown is
 * ignored.
 */
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
