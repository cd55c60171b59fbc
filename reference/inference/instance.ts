/** The smallest value that fits a JSON Schema, for `response_format` and tool arguments. Knows everyday keywords. */

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectOf(schema: Schema): Record<string, unknown> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, instanceOf(property)]));
}

function arrayOf(schema: Schema): unknown[] {
  const length = typeof schema.minItems === 'number' ? schema.minItems : 0;
  return Array.from({ length }, () => instanceOf(schema.items));
}

/** Null where the schema says nothing usable. */
export function instanceOf(schema: unknown): unknown {
  if (!isSchema(schema)) return null;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [alternative] = [schema.anyOf, schema.oneOf].flat().filter(isSchema);
  if (alternative) return instanceOf(alternative);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type ?? (isSchema(schema.properties) ? 'object' : undefined)) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return arrayOf(schema);
    case 'string':
      return 'x'.repeat(typeof schema.minLength === 'number' ? schema.minLength : 1);
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}
