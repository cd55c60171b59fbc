/** Bodies against the schemas of the responses, with the first violation in words. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type ResponseName, responses } from '../../schemas/responses/index.ts';
import { show } from './json.ts';

const ajv = new Ajv2020({ strict: false, verbose: true });
const compiled = new Map<string, ValidateFunction>();

/** The first break of a contract that a body holds. */
export interface Break {
  /** Where in the body, what is wrong there, and the body. */
  readonly words: string;
  /** Where in the schema: `chat/convention#/properties/usage/required`. */
  readonly schemaPath: string;
}

/** What is wrong with a body, or null when it has the shape. */
export function breakOf(name: ResponseName, layer: 'documented' | 'convention', body: unknown): Break | null {
  const key = `${name}/${layer}`;
  if (body === undefined) return { words: 'no JSON', schemaPath: `${key}#` };
  const validate = compiled.get(key) ?? ajv.compile(responses[name][layer]);
  compiled.set(key, validate);
  if (validate(body)) return null;
  const [first] = validate.errors ?? [];
  const place = first?.instancePath ? first.instancePath.slice(1).replaceAll('/', '.') : 'the body';
  const allowed = first?.params && 'allowedValues' in first.params ? ` ${show(first.params.allowedValues)}` : '';
  const words = `${place} ${first?.message ?? 'has another shape'}${allowed} in ${show(body)}`;
  return { words, schemaPath: `${key}${first?.schemaPath ?? '#'}` };
}

/** The same in words alone. */
export function violation(name: ResponseName, layer: 'documented' | 'convention', body: unknown): string | null {
  return breakOf(name, layer, body)?.words ?? null;
}
