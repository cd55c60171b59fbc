/** Models from a list whose shape is not documented. */
import { at, isObject, saysSomething, walk } from '../../schemas/json.ts';

/** The documented form of an identifier (spec 2.2); a further part may follow. */
export const OWNER_AND_NAME = /^[^/\s]+(\/[^/\s]+)+$/;
const isIdentifier = (value: unknown): value is string => typeof value === 'string' && OWNER_AND_NAME.test(value);
/** Fields that say which model it is, not what it can do. */
const IDENTITY = new Set(['id', 'object', 'created', 'owned_by', 'name', 'model', 'root', 'parent']);

/** The items of the list: `data`, `models` or the body itself, by identifier too, or else the first list inside. */
export function modelItemsOf(body: unknown): readonly unknown[] {
  const places = [at(body, 'data'), at(body, 'models'), body];
  const known = places.find((place) => Array.isArray(place));
  if (Array.isArray(known)) return known;
  const named = places.filter(isObject).find((place) => saysSomething(place) && Object.keys(place).every(isIdentifier));
  if (named) return Object.entries(named).map(([id, model]) => ({ id, ...Object(model) }));
  for (const { value } of walk(body)) if (Array.isArray(value)) return value;
  return [];
}

function idOf(item: unknown): string | null {
  if (typeof item === 'string') return item;
  const { id, model, name, ...others } = isObject(item) ? item : {};
  const likely = [model, name, ...Object.values(others)].find(isIdentifier);
  return [id, likely, model, name].find((one): one is string => typeof one === 'string' && one !== '') ?? null;
}

export function modelIdsOf(body: unknown): string[] {
  return modelItemsOf(body).flatMap((item) => idOf(item) ?? []);
}

/** Whether an item has anything about its model except its name. */
export function hasCapabilities(item: unknown): boolean {
  return isObject(item) && Object.entries(item).some(([key, value]) => !IDENTITY.has(key) && value !== null);
}
