/**
 * What a TestRun may hold, as JSON Schema. k6-operator publishes it as a custom resource definition, which is in no
 * package; but there is one of Rust types that are generated from that definition each week (kcr_k6_io), with each field,
 * its type and whether it must be there. Those are read here.
 */

type Schema = Readonly<Record<string, unknown>>;

/** Newer than these types: the operator has it since 1.6.0. */
const SINCE: Schema = { args: { type: 'array', items: { type: 'string' } } };

const scalars: Readonly<Record<string, Schema>> = {
  String: { type: 'string' },
  bool: { type: 'boolean' },
  i32: { type: 'integer' },
  i64: { type: 'integer' },
  IntOrString: { type: ['integer', 'string'] },
};

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** `pub name: Type,`, with the attributes before it. */
const FIELD = /((?:^ {4}#\[serde\([^\n]*\)\]\n)*)^ {4}pub (?:r#)?(\w+): (.+),$/gm;
const STRUCT = /^pub struct (\w+) \{\n([\s\S]*?)^\}/gm;
const ENUM = /^pub enum (\w+) \{\n([\s\S]*?)^\}/gm;
const renamed = (attributes: string): string | undefined => /rename = "([^"]+)"/.exec(attributes)?.[1];

function fieldsOf(body: string): Field[] {
  return [...body.matchAll(FIELD)].map(([, attributes = '', name = '', type = '']) => ({
    name: renamed(attributes) ?? name,
    type,
    isOptional: /\bdefault\b/.test(attributes),
  }));
}

/**
 * The `spec` of a TestRun, whose objects are closed.
 * @param source the text of its Rust module
 * @throws Error on a type that is none of these
 */
export function testRunSpec(source: string): Schema {
  const structs = new Map([...source.matchAll(STRUCT)].map(([, name = '', body = '']) => [name, fieldsOf(body)]));
  const enums = new Map(
    [...source.matchAll(ENUM)].map(([, name = '', body = '']) => [
      name,
      [...body.matchAll(/rename = "([^"]+)"/g)].map(([, word]) => word),
    ]),
  );
  const definitions: Record<string, Schema> = {};

  function schemaOf(type: string): Schema {
    const inner = /^(?:Option|Vec|BTreeMap)<(?:String, )?(.+)>$/.exec(type)?.[1] ?? '';
    if (type.startsWith('Option<')) return schemaOf(inner);
    if (type.startsWith('Vec<')) return { type: 'array', items: schemaOf(inner) };
    if (type.startsWith('BTreeMap<')) return { type: 'object', additionalProperties: schemaOf(inner) };
    const words = enums.get(type);
    const fields = structs.get(type);
    if (words) return { enum: words };
    if (fields) return definitionOf(type, fields);
    const scalar = scalars[type];
    if (!scalar) throw new Error(`a type that is not known: ${type}`);
    return scalar;
  }

  /** What the pods of all three kinds have in common stands once. */
  function definitionOf(type: string, fields: readonly Field[]): Schema {
    const content = objectOf(fields);
    const short = type.replace(/^TestRun(?:Initializer|Runner|Starter)?/, '');
    const known = definitions[short];
    const name = known && JSON.stringify(known) !== JSON.stringify(content) ? type : short;
    definitions[name] = content;
    return { $ref: `#/$defs/${name}` };
  }

  function objectOf(fields: readonly Field[]): Schema {
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, type }) => [name, schemaOf(type)])),
      required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
      additionalProperties: false,
    };
  }

  const spec = objectOf(structs.get('TestRunSpec') ?? []);
  return { ...spec, properties: { ...(spec.properties as Schema), ...SINCE }, $defs: definitions };
}
