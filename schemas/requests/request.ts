/**
 * The requests of an operation, as data. One schema for each request, not two layers as for responses: a client must
 * keep to all of it. Whether a field is documented or a habit of clients stands at the field, for readers and for the
 * OpenAPI document.
 */
import { type JsonSchema, object } from '../responses/schema.ts';
import type { Level } from '../verdicts.ts';

export type Fields = Readonly<Record<string, JsonSchema>>;

export interface RequestSchema {
  /** The parameters of the path, decoded, by name. */
  readonly path: Fields;
  /** The parameters of the query, by name; numbers are written in digits. Others are ignored by the service. */
  readonly query: Fields;
  /** The JSON body. Where it isn't required, none at all is as good as an empty object. Null for GET. */
  readonly body: { readonly required: boolean; readonly schema: JsonSchema } | null;
}

/** The keyword that says where a field comes from. */
const LEVEL = 'x-proofload-level';

/** The same schema, saying that the documentation names it. */
export const documented = (schema: JsonSchema, description: string): JsonSchema => ({
  description,
  [LEVEL]: 'documented' satisfies Level,
  ...schema,
});

/** The same schema, saying that the documentation doesn't show it and clients send it. */
export const convention = (schema: JsonSchema, description: string): JsonSchema => ({
  description: `Convention: ${description}`,
  [LEVEL]: 'convention' satisfies Level,
  ...schema,
});

/** Null stands for "not given" everywhere, as clients send it. Works on types: it then says what a value must be. */
export function optional(schema: JsonSchema & { readonly type: string | readonly string[] }): JsonSchema {
  return { ...schema, type: [schema.type, 'null'].flat() };
}

export const integer = (minimum: number, maximum?: number): JsonSchema =>
  optional({ type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) });

export const number = (minimum: number, maximum: number): JsonSchema => optional({ type: 'number', minimum, maximum });

export const flag: JsonSchema = optional({ type: 'boolean' });

export const oneOf = (...values: readonly string[]): JsonSchema => ({ enum: [...values, null] });

/** What one of several kinds of object needs as well, distinguished by one of its fields. */
export const where = (field: string, value: string, needs: JsonSchema): JsonSchema => ({
  if: { required: [field], properties: { [field]: { const: value } } },
  // biome-ignore lint/suspicious/noThenProperty: it is the keyword's name
  then: needs,
});

export { object };
