/** Schemas that clients send: whether they are any, and whether a value fits one. The judging is ajv's. */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { newAjv } from '../../ajv.ts';
import { isSchema } from './flatten.ts';

let made: Ajv2020 | undefined;

function ajv(): Ajv2020 {
  made ??= newAjv({ strict: false, logger: false });
  return made;
}

/** What is wrong with a schema, null when nothing is. The dialect that it names is not looked at. */
export function schemaFault(schema: unknown): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isSchema(schema)) return 'must be a JSON Schema';
  const { $schema: _dialect, ...rest } = schema;
  if (ajv().validateSchema(rest)) return null;
  const [fault] = ajv().errors ?? [];
  return `must be a JSON Schema: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is not valid'}`;
}

/** The first of the values that fits; undefined when none does, or when the schema can't be used. */
export function fits(schema: object, values: readonly unknown[]): unknown {
  const { $schema: _dialect, ...rest }: { $schema?: unknown } = { ...schema };
  try {
    const valid = ajv().compile(rest);
    return values.find((value) => valid(value));
  } catch {
    return undefined;
  } finally {
    ajv().removeSchema(rest);
  }
}

/** The names of the types that a JSON value is of. */
export function jsonTypeOf(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}
