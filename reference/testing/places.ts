/** Where values stand in JSON, and each way in which a value can be wrong: what faults by enumeration are made of. */
import { isObject } from '../../schemas/json.ts';

/** Names of fields, and `*` for each item of a list. */
export type Place = readonly string[];

export const nameOf = (place: Place): string => `/${place.join('/')}`;

/** In place of a value; undefined: the field is missing. `earlier`: what stood there before, the first one first. */
type Change = (value: unknown, earlier: readonly unknown[]) => unknown;

interface Operator {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
  readonly change: Change;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const isLong = (value: unknown): boolean => isList(value) && value.length > 1;

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string') return 7;
  if (isNumber(value) || typeof value === 'boolean') return String(value);
  return isList(value) ? {} : [];
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (isList(value)) return [];
  return isObject(value) ? {} : 0;
}

const items = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

const operators: readonly Operator[] = [
  { name: 'missing', fits: () => true, change: () => undefined },
  { name: 'null', fits: (value) => value !== null, change: () => null },
  { name: 'of another type', fits: (value) => value !== null, change: ofAnotherType },
  { name: 'empty', fits: (value) => value !== null && typeof value !== 'boolean', change: emptied },
  { name: 'negated', fits: (value) => typeof value === 'boolean', change: (value) => !value },
  {
    name: 'always the first one',
    fits: () => true,
    change: (value, earlier) => (earlier.length > 0 ? earlier[0] : value),
  },
  {
    name: 'that of the one before',
    fits: () => true,
    change: (value, earlier) => (earlier.length > 0 ? earlier.at(-1) : value),
  },
  { name: 'one more', fits: isNumber, change: (value) => Number(value) + 1 },
  { name: 'a thousand times', fits: isNumber, change: (value) => Number(value) * 1000 },
  { name: 'a thousandth', fits: isNumber, change: (value) => Math.floor(Number(value) / 1000) },
  { name: 'without its first item', fits: isList, change: (value) => items(value).slice(1) },
  { name: 'without its last item', fits: isList, change: (value) => items(value).slice(0, -1) },
  { name: 'with an item twice', fits: isList, change: (value) => [...items(value).slice(0, 1), ...items(value)] },
  { name: 'reversed', fits: isLong, change: (value) => items(value).toReversed() },
  {
    name: 'with a foreign item',
    fits: isList,
    change: (value, earlier) => [
      ...items(value),
      ...items(earlier.findLast((one) => items(one).length > 0)).slice(0, 1),
    ],
  },
];

/** Those that change at least one of these values. An item that is missing is the list without it. */
export const operatorsFor = (place: Place, values: readonly unknown[]): readonly Operator[] =>
  operators.filter(({ name, fits }) => values.some(fits) && !(place.at(-1) === '*' && name === 'missing'));

/** The same value with what stands at a place changed. */
export function changedAt(value: unknown, [first, ...rest]: Place, change: (value: unknown) => unknown): unknown {
  if (first === undefined) return change(value);
  if (first === '*') return isList(value) ? value.map((one) => changedAt(one, rest, change)) : value;
  if (!isObject(value) || !(first in value)) return value;
  const changed = changedAt(value[first], rest, change);
  const entries = Object.entries(value).map(([key, one]) => [key, key === first ? changed : one] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== first || changed !== undefined));
}

/** What stands at a place: one value, none, or one for each item of a list. */
export function valuesAt(value: unknown, place: Place): unknown[] {
  const found: unknown[] = [];
  changedAt(value, place, (one) => {
    found.push(one);
    return one;
  });
  return found;
}

/** Enough to repeat what came before. */
const MOST_KEPT = 50;

/** Applies an operator at a place of one value after the other, and remembers what stood there. */
export function changing(place: Place, { change }: Pick<Operator, 'change'>): (value: unknown) => unknown {
  const earlier: unknown[] = [];
  return (value) => {
    const after = changedAt(value, place, (one) => change(one, earlier));
    const seen = valuesAt(value, place);
    if (earlier.length < MOST_KEPT) earlier.push(...seen);
    else earlier.splice(1, earlier.length - 1, ...seen.slice(-1));
    return after;
  };
}

export interface PlaceSeen {
  readonly place: Place;
  readonly values: unknown[];
}

/** Every place of the values that are added, each with all that stood there; not what every object has by itself. */
export class PlacesSeen {
  readonly #seen = new Map<string, PlaceSeen>();
  readonly #opaque: readonly string[];

  /** @param opaque names of fields whose values are not read */
  constructor(opaque: readonly string[]) {
    this.#opaque = opaque;
  }

  add(value: unknown, place: Place = []): void {
    if (place.length > 0) {
      const key = nameOf(place);
      const known = this.#seen.get(key) ?? { place, values: [] };
      known.values.push(value);
      this.#seen.set(key, known);
    }
    if (this.#opaque.includes(place.at(-1) ?? '')) return;
    if (isList(value)) for (const one of value) this.add(one, [...place, '*']);
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) if (!(key in Object.prototype)) this.add(one, [...place, key]);
  }

  all(): readonly PlaceSeen[] {
    return [...this.#seen.values()];
  }
}
