/** Schemas that clients send: whether they are any, and whether a value fits one. The judging is ajv's. */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { newAjv } from '../../ajv.ts';

let made: Ajv2020 | undefined;

function ajv(): Ajv2020 {
  made ??= newAjv({ strict: false, logger: false });
  return made;
}

export type Schema = Record<string, unknown>;

export const isSchema = (schema: unknown): schema is Schema =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema);

/** What is wrong with a schema, null when nothing is. The dialect that it names is not looked at. */
export function schemaFault(schema: unknown): string | null {
  if (typeof schema === 'boolean') return null;
  if (!isSchema(schema)) return 'must be a JSON Schema';
  const { $schema: _dialect, ...rest } = schema;
  if (ajv().validateSchema(rest)) return null;
  const [fault] = ajv().errors ?? [];
  return `must be a JSON Schema: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is not valid'}`;
}

/** Whether values fit, told by one compilation of the schema; none does where it can't be used. */
export function fitting(schema: object): (value: unknown) => boolean {
  const { $schema: _dialect, ...rest }: { $schema?: unknown } = { ...schema };
  try {
    return ajv().compile(rest);
  } catch {
    return () => false;
  } finally {
    ajv().removeSchema(rest);
  }
}
