/**
 * The JSON Schema (2020-12) building blocks of the responses. Two layers: `documented` is what the documentation itself
 * says an answer holds, which is little; `convention` is what clients in use read. Additional fields are always fine.
 */

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface ResponseSchema {
  readonly documented: JsonSchema;
  readonly convention: JsonSchema;
}

export const text: JsonSchema = { type: 'string' };
export const nonEmptyText: JsonSchema = { type: 'string', minLength: 1 };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const anything: JsonSchema = {};

/** An object with these fields; all are required but those in `optional`. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

export function list(items: JsonSchema, minItems = 0): JsonSchema {
  return { type: 'array', items, minItems };
}

export function nullable(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** Something was said: not an empty object, list or string, and not null. */
export const saysSomething: JsonSchema = {
  anyOf: [
    { type: 'object', minProperties: 1 },
    { type: 'array', minItems: 1 },
    { type: 'string', minLength: 1 },
    { type: ['number', 'boolean'] },
  ],
};

const array: JsonSchema = { type: 'array' };
/** What fits, or an object with a property that does. */
const orInside = (fits: JsonSchema): JsonSchema => ({
  anyOf: [array, { type: 'object', not: { additionalProperties: { not: fits } } }],
});

/** A list, possibly inside objects: where the documentation promises a list without its shape. */
export const holdsList: JsonSchema = orInside(orInside(orInside(array)));
