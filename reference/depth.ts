/**
 * How deep a JSON value is nested. JSON.parse takes any depth, but JSON.stringify and every other recursive walk run out
 * of stack some thousand levels down, which would make a body that was accepted an error of ours when it is answered.
 */

/** Characters that one level takes at the least: a bracket that opens it and one that closes it. */
const LEVEL_CHARACTERS = 2;

const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Whether arrays and objects lie more than `most` deep in each other, given how long the JSON text was: a short text
 * need not be looked at. Goes level by level, without recursion, and visits values, not characters.
 */
export function deeperThan(value: unknown, most: number, textLength = Number.POSITIVE_INFINITY): boolean {
  if (textLength <= most * LEVEL_CHARACTERS) return false;
  let level = isNode(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true;
    const next: object[] = [];
    for (const node of level) {
      for (const child of Array.isArray(node) ? node : Object.values(node)) if (isNode(child)) next.push(child);
    }
    level = next;
  }
  return false;
}
