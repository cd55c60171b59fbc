/** Reading JSON whose shape is not documented, or that may be none. Pure, and bundled into k6 scripts. */

export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** undefined where it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The JSON of a body; where it is none, the list of the objects that are its lines, or a single word, as some services
 * answer an id; undefined for anything else.
 */
export function bodyIn(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const objects = lines.map(parseJson).filter(isObject);
  if (lines.length > 1 && objects.length === lines.length) return objects;
  return /^\s*[\w.:-]+\s*$/.test(text) ? text.trim() : undefined;
}

/** The property of an object, or undefined for anything else. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (Array.isArray(here) && typeof key === 'number') here = here[key];
    else if (isObject(here) && typeof key === 'string') here = here[key];
    else return undefined;
  }
  return here;
}

/** The list at such a place; empty for anything else. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Every value inside, the outermost first, with the key it stands under (empty for the root and list items). */
export function* walk(value: unknown, key = '', depth = 0): Generator<{ key: string; value: unknown; depth: number }> {
  yield { key, value, depth };
  if (Array.isArray(value)) for (const item of value) yield* walk(item, '', depth + 1);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* walk(item, name, depth + 1);
}

/** Every list inside, the outermost first. */
export const listsIn = (value: unknown): readonly (readonly unknown[])[] =>
  [...walk(value)].flatMap((one) => (Array.isArray(one.value) ? [one.value] : []));

/** Whether some string inside, or some key, holds this text. A number counts by its decimal form. */
export function mentions(value: unknown, text: string): boolean {
  for (const one of walk(value)) {
    if (one.key.includes(text)) return true;
    if ((typeof one.value === 'string' || typeof one.value === 'number') && String(one.value).includes(text))
      return true;
  }
  return false;
}

/** Whether something was said at all: null, an empty string, list or object say nothing. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : true;
}

/** Compact JSON for a report line. */
export function show(value: unknown, longest = 160): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
