/**
 * The shape of a body without its content: which fields its objects have and of which JSON type, the items of a list
 * taken together. Values are kept only of fields whose values are a vocabulary (states, kinds, codes).
 */

export interface FieldShape {
  /** In how many of the objects it stands. */
  count: number;
  readonly types: Set<string>;
  /** Only where the values are a vocabulary. */
  readonly values: Set<string>;
}

export interface ObjectShape {
  /** How many whole objects were seen in this place. */
  count: number;
  readonly fields: Map<string, FieldShape>;
}

/** By place, such as `body.choices[]`; jobs in different states are different places. */
export type Shape = Map<string, ObjectShape>;

/** Words that both sides use. A job's fields depend on its state, so only jobs in the same state are compared. */
export type Shared = (word: string) => boolean;

const STATE_FIELDS = ['status', 'state'];
const VOCABULARIES = new Set([...STATE_FIELDS, 'object', 'type', 'code', 'finish_reason', 'role']);
/** The outputs of the deployed handler, of any shape; and objects whose names are contents. */
const PAYLOADS = new Set(['output', 'input', 'result', 'top_logprobs', 'logit_bias', 'metadata']);
const DEEPEST = 8;
const OTHER = '*';
const STATES_OF = '<>';

export const isStateField = (name: string): boolean => STATE_FIELDS.includes(name);

/** The JSON type; a list without items differs from one that has some. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : 'array';
  return typeof value;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

/** The state of an object that has one, as a mark on its place. */
function stateMark(value: Record<string, unknown>, shared: Shared): string {
  const name = STATE_FIELDS.find((one) => typeof value[one] === 'string');
  if (name === undefined) return '';
  const word = String(value[name]);
  return `<${shared(word) ? word : OTHER}>`;
}

function addField(object: ObjectShape, name: string, value: unknown): void {
  const field = object.fields.get(name) ?? { count: 0, types: new Set(), values: new Set() };
  field.count += 1;
  field.types.add(typeOf(value));
  if (VOCABULARIES.has(name) && typeof value === 'string') field.values.add(value);
  object.fields.set(name, field);
}

function objectAt(shape: Shape, place: string, whole: boolean): ObjectShape {
  const object = shape.get(place) ?? { count: 0, fields: new Map() };
  if (whole) object.count += 1;
  shape.set(place, object);
  return object;
}

interface Walk {
  readonly shape: Shape;
  readonly shared: Shared;
  readonly torn: ReadonlySet<unknown>;
}

function walk(value: unknown, place: string, how: Walk, depth: number): void {
  const { shape, shared, torn } = how;
  if (depth > DEEPEST) return;
  if (Array.isArray(value)) {
    const hasStates = value.some((one) => isRecord(one) && stateMark(one, shared) !== '');
    for (const one of value) {
      // The state of an item that was cut before it is not known, and its fields depend on that.
      const isUnknown = hasStates && torn.has(one) && isRecord(one) && stateMark(one, shared) === '';
      if (!isUnknown) walk(one, `${place}[]`, how, depth + 1);
    }
    return;
  }
  if (!isRecord(value)) return;
  const mark = stateMark(value, shared);
  const own = `${place}${mark}`;
  const whole = !torn.has(value);
  const object = objectAt(shape, own, whole);
  // Objects are distinguished by their states, so the states themselves are compared where all of them are together.
  const together = mark === '' ? object : objectAt(shape, `${place}${STATES_OF}`, whole);
  for (const [name, one] of Object.entries(value)) {
    addField(isStateField(name) ? together : object, name, one);
    if (!PAYLOADS.has(name)) walk(one, `${own}.${name}`, how, depth + 1);
  }
}

/** Values of one kind: `body` for whole bodies, `event` for streamed ones. */
export interface Seen {
  readonly place: 'body' | 'event';
  readonly values: readonly unknown[];
  readonly torn: ReadonlySet<unknown>;
}

/** The shape of several values of one place together. */
export function shapeOf({ place, values, torn }: Seen, shared: Shared): Shape {
  const shape: Shape = new Map();
  // The value as such is the one field of an object around it: a list where an object was is a difference too.
  for (const value of values) {
    addField(objectAt(shape, '', true), place, value);
    walk(value, place, { shape, shared, torn }, 0);
  }
  return shape;
}
