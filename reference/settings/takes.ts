/**
 * What a setting takes, in two forms from one source: as a JSON Schema for the machine and as text for people. A number
 * has a range and a unit, a choice its values, so that a message or a table can show them without knowing the setting.
 */

/** `T`: the values that it takes. */
export interface Takes<T = unknown> {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly words: string;
  /** What may be chosen, where there is a choice. */
  readonly choices?: readonly T[];
}

interface Range {
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
}

function amount(type: 'integer' | 'number', noun: string, { unit, min = 0, max }: Range): Takes<number> {
  const bounds = max === undefined ? `${min} or more` : `${min} to ${max}`;
  return {
    schema: { type, minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    words: `${noun}, ${bounds}${unit === undefined ? '' : ` ${unit}`}`,
  };
}

export const whole = (range: Range = {}): Takes<number> => amount('integer', 'a whole number', range);
export const real = (range: Range = {}): Takes<number> => amount('number', 'a number', range);

/** A whole number between the values of two neighbours in the flat table, so that they can't contradict. */
export function between(
  unit: string,
  low: { readonly name: string } | { readonly min: number },
  high: string,
): Takes<number> {
  const [minimum, from] = 'name' in low ? [{ $data: `1/${low.name}` }, low.name] : [low.min, String(low.min)];
  return {
    schema: { type: 'integer', minimum, maximum: { $data: `1/${high}` } },
    words: `a whole number, from ${from} to ${high}, ${unit}`,
  };
}

/** One of these values, as they are written. */
export function choice<const T extends string | number>(...choices: readonly T[]): Takes<T> {
  const last = choices.slice(-1).join('');
  const words = choices.length > 1 ? `${choices.slice(0, -1).join(', ')} or ${last}` : last;
  return { schema: { enum: choices }, words, choices };
}

export const onOff: Takes<boolean> = { schema: { type: 'boolean' }, words: 'true or false' };

/** What `takes` takes, or this one word (or null). */
export function orElse<T, E extends string | null>(takes: Takes<T>, other: E): Takes<T | E> {
  return { schema: { anyOf: [takes.schema, { const: other }] }, words: `${takes.words}; or ${other}` };
}

/** A list of keys that an Authorization header can carry. */
export function keys(minItems: number): Takes<readonly string[]> {
  return {
    schema: { type: 'array', minItems, items: { type: 'string', pattern: '^[\\x21-\\x7e]+$' } },
    words: `a list of keys, each as \${NAME} from the environment`,
  };
}

/** A list of objects; all properties are needed. */
export function listOf<P extends Readonly<Record<string, Takes>>>(
  properties: P,
  minItems: number,
): Takes<readonly { readonly [N in keyof P]: P[N] extends Takes<infer T> ? T : never }[]> {
  const names = Object.keys(properties);
  const schemas = Object.fromEntries(Object.entries(properties).map(([name, { schema }]) => [name, schema]));
  const items = { type: 'object', required: names, properties: schemas, additionalProperties: false };
  return { schema: { type: 'array', minItems, items }, words: `a list of {${names.join(', ')}}` };
}

/** A text of this form. */
export function text(pattern: string, words: string): Takes<string> {
  return { schema: { type: 'string', pattern }, words };
}
