/** Bodies against the schemas of requests and responses, with the first violation as text. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { show } from '../../schemas/json.ts';
import { type JsonSchema, type ResponseName, responses } from '../../schemas/responses/index.ts';

/** The schemas are our own, and tests hold them against the meta-schema. */
const ajv = new Ajv2020({ strict: false, meta: false, validateSchema: false });
const compiled = new Map<string, ValidateFunction>();

type Layer = 'documented' | 'convention';

/** The first break of a contract that a body holds. */
export interface Break {
  /** Where in the body, what is wrong there, and the body. */
  readonly words: string;
  /** Where in the schema: `chat/convention#/properties/usage/required`. */
  readonly schemaPath: string;
}

/**
 * What is wrong with a value, or null when the schema allows it.
 *
 * @param key names the schema; one key is always the same schema, which is compiled when it is first needed.
 * @param root what the text calls the value.
 */
export function breakIn(key: string, schema: JsonSchema, value: unknown, root: string): Break | null {
  if (value === undefined) return { words: 'not JSON', schemaPath: `${key}#` };
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  if (validate(value)) return null;
  const [first] = validate.errors ?? [];
  const place = first?.instancePath ? first.instancePath.slice(1).replaceAll('/', '.') : root;
  const allowed = first?.params && 'allowedValues' in first.params ? ` ${show(first.params.allowedValues)}` : '';
  const words = `${place} ${first?.message ?? 'has another shape'}${allowed} in ${show(value)}`;
  return { words, schemaPath: `${key}${first?.schemaPath ?? '#'}` };
}

/** What is wrong with a body, or null when it has the shape. */
export function breakOf(name: ResponseName, layer: Layer, body: unknown): Break | null {
  return breakIn(`${name}/${layer}`, responses[name][layer], body, 'the body');
}

/** The first of several bodies that breaks it, such as the events of a stream; its words begin with which one it is. */
export function firstBreakOf(name: ResponseName, layer: Layer, bodies: readonly unknown[], what: string): Break | null {
  for (const [index, body] of bodies.entries()) {
    const found = breakOf(name, layer, body);
    if (found) return { ...found, words: `${what} ${index + 1} of ${bodies.length}: ${found.words}` };
  }
  return null;
}

/** The same as text alone. */
export function violation(name: ResponseName, layer: Layer, body: unknown): string | null {
  return breakOf(name, layer, body)?.words ?? null;
}
