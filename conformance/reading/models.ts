/** Models from a list whose shape is not documented. */
import { at, isObject, walk } from '../../schemas/json.ts';

const ID_KEYS = ['id', 'model', 'name'];
/** Fields that say which model it is, not what it can do. */
const IDENTITY = new Set(['id', 'object', 'created', 'owned_by', 'name', 'model', 'root', 'parent']);

/** The items of the list: `data`, `models`, the body itself, or the first list of objects or strings inside. */
export function modelItemsOf(body: unknown): readonly unknown[] {
  const places = [at(body, 'data'), at(body, 'models'), body];
  const known = places.find((place) => Array.isArray(place));
  if (Array.isArray(known)) return known;
  for (const { value } of walk(body)) if (Array.isArray(value)) return value;
  return [];
}

function idOf(item: unknown): string | null {
  if (typeof item === 'string') return item;
  for (const key of ID_KEYS) {
    const value = at(item, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

export function modelIdsOf(body: unknown): string[] {
  return modelItemsOf(body).flatMap((item) => idOf(item) ?? []);
}

/** Whether an item has anything about its model except its name. */
export function hasCapabilities(item: unknown): boolean {
  return isObject(item) && Object.entries(item).some(([key, value]) => !IDENTITY.has(key) && value !== null);
}
