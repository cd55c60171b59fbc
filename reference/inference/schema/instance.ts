/**
 * A value that fits a JSON Schema, for `response_format` and tool arguments: clients parse it with the schema they
 * sent.
 * Small on purpose, and the same for the same schema. Knows the everyday keywords; what a keyword that it doesn't build
 * from forbids is tried around, and given up after a few tries.
 */
import { invalid } from '../request/check.ts';
import { bounded, Steps, TooMuch } from './bounded.ts';
import { branchesOf, type Followed, flattened, isSchema, type Schema } from './flatten.ts';
import { numberOf, textOf } from './scalar.ts';
import { fits, jsonTypeOf } from './valid.ts';

interface Way extends Followed {
  readonly root: unknown;
  /** Which of several values, for lists whose items differ. */
  readonly nth: number;
  /** Which alternative comes first. */
  readonly variant: number;
  readonly steps: Steps;
}

/** Longest list that is built, whatever the schema asks for. */
const MOST_ITEMS = 1000;
const VARIANTS = 8;
const NEEDS_TRYING = /"(?:oneOf|not|if|pattern|contains|dependentSchemas|unevaluatedProperties)":/;
const KEPT = 200;
/** Longer schemas and values are built anew each time, characters. */
const LONGEST_KEPT = 50_000;

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(schema: Schema, way: Way): object | undefined {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = new Set(listOf(schema.required).map(String));
  const built: [string, unknown][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const value = build(property, way);
    if (value === undefined && required.has(name)) return undefined;
    if (value !== undefined) built.push([name, value]);
    required.delete(name);
  }
  const least = typeof schema.minProperties === 'number' ? Math.min(schema.minProperties, MOST_ITEMS) : 0;
  for (let more = 1; built.length + required.size < least; more += 1) required.add(`more_${more}`);
  for (const name of required) {
    const value = build(schema.additionalProperties ?? true, way);
    if (value === undefined) return undefined;
    built.push([name, value]);
  }
  return Object.fromEntries(built);
}

function arrayOf(schema: Schema, way: Way): unknown[] | undefined {
  const first = listOf(schema.prefixItems);
  const least = typeof schema.minItems === 'number' ? Math.min(schema.minItems, MOST_ITEMS) : 0;
  const contained = schema.contains === undefined ? 0 : 1;
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : MOST_ITEMS;
  const length = Math.min(most, Math.max(least, first.length, contained));
  const built: unknown[] = [];
  for (let at = 0; at < length; at += 1) {
    const item = first[at] ?? (at === first.length && contained ? schema.contains : (schema.items ?? true));
    const value = build(item, schema.uniqueItems ? { ...way, nth: at } : way);
    if (value !== undefined) built.push(value);
    else if (at < least) return undefined;
    else break;
  }
  return built;
}

/** Any of these is a type for the value, the first one preferred. */
function typesOf(schema: Schema): readonly unknown[] {
  if (schema.type !== undefined) return [schema.type].flat();
  const has = (...names: string[]): boolean => names.some((name) => schema[name] !== undefined);
  if (has('properties', 'required', 'additionalProperties', 'minProperties')) return ['object'];
  if (has('items', 'prefixItems', 'minItems', 'contains')) return ['array'];
  if (has('pattern', 'format', 'minLength', 'maxLength')) return ['string'];
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
  return ['null'];
}

function ofType(type: unknown, schema: Schema, way: Way): unknown {
  switch (type) {
    case 'object':
      return objectOf(schema, way);
    case 'array':
      return arrayOf(schema, way);
    case 'string':
      return textOf(schema, way.nth);
    case 'integer':
    case 'number':
      return numberOf(schema, type === 'integer', way.nth);
    case 'boolean':
      return way.nth % 2 === 0;
    case 'null':
      return null;
    default:
      return undefined;
  }
}

function fromEnum(schema: Schema, values: readonly unknown[], way: Way): unknown {
  const types = schema.type === undefined ? null : [schema.type].flat();
  const usable = values.filter((value) => types === null || jsonTypeOf(value).some((one) => types.includes(one)));
  return usable[way.nth % Math.max(1, usable.length)];
}

/** Undefined where nothing fits. */
function build(schema: unknown, way: Way): unknown {
  way.steps.take();
  if (schema === false) return undefined;
  if (!isSchema(schema)) return null;
  const flat = flattened(schema, way.root, way);
  if (!flat) return undefined;
  const inside = { ...way, open: flat.open };
  const branches = branchesOf(flat.schema);
  if (branches) {
    const turn = way.variant % Math.max(1, branches.length);
    for (const branch of [...branches.slice(turn), ...branches.slice(0, turn)]) {
      const value = build(branch, inside);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  if (Array.isArray(flat.schema.enum)) return fromEnum(flat.schema, flat.schema.enum, inside);
  for (const type of typesOf(flat.schema)) {
    const value = ofType(type, flat.schema, inside);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Null where the schema says nothing usable. */
export function instanceOf(schema: unknown): unknown {
  const steps = new Steps();
  const start = (variant: number, times = 1): unknown =>
    build(schema, { root: schema, open: [], times, nth: 0, variant, steps });
  // A reference that is met again inside itself need not go on for ever; only then the value is not the smallest.
  const simple = start(0) ?? start(0, 3) ?? null;
  if (!isSchema(schema) || !NEEDS_TRYING.test(JSON.stringify(schema))) return simple;
  const tries = [simple, ...Array.from({ length: VARIANTS - 1 }, (_, at) => start(at + 1))];
  return (
    fits(
      schema,
      tries.filter((value) => value !== undefined),
    ) ?? simple
  );
}

/** @throws Refusal with 400 */
function builtText(schema: unknown): string {
  try {
    return bounded(() => JSON.stringify(instanceOf(schema)));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    throw invalid('No value can be built for a schema of the request: it is too large.', null, 'invalid_value');
  }
}

const known = new Map<string, string>();

/**
 * The value as JSON; kept for the schemas asked for last, because clients send the same one again and again.
 * @throws Refusal with 400 for a schema that is too much work
 */
export function instanceText(schema: unknown): string {
  const key = JSON.stringify(schema) ?? '';
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const text = builtText(schema);
  if (key.length + text.length > LONGEST_KEPT) return text;
  if (known.size >= KEPT) known.clear();
  known.set(key, text);
  return text;
}
