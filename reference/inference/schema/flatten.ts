/**
 * One schema without references and `allOf`: what several schemas ask for together. Both appear in almost every schema
 * that a client makes from its types.
 */

export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const larger = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const smaller = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function commonTypes(one: unknown, other: unknown): unknown[] {
  const [first, second] = [[one].flat(), [other].flat()];
  const whole = (types: unknown[]): boolean => types.includes('integer') || types.includes('number');
  const both = first.filter((type) => second.includes(type));
  const integers = whole(first) && whole(second) && !both.includes('number') && !both.includes('integer');
  return integers ? [...both, 'integer'] : both;
}

function commonMultiple(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b > 0) [a, b] = [b, a % b];
  return (one * other) / a;
}

/** Both values of a keyword as one; where there is no such thing the later one stands. */
function both(keyword: string, one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') {
    if (larger.includes(keyword)) return Math.max(one, other);
    if (smaller.includes(keyword)) return Math.min(one, other);
    if (keyword === 'multipleOf') return commonMultiple(one, other);
  }
  if (keyword === 'type') return commonTypes(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    if (keyword === 'required') return [...new Set([...one, ...other])];
    if (keyword === 'enum') return one.filter((value) => other.some((second) => same(value, second)));
    if (keyword === 'anyOf' || keyword === 'oneOf')
      return one.map((branch) => ({ allOf: [branch, { [keyword]: other }] }));
  }
  if (keyword === 'properties' && isSchema(one) && isSchema(other)) {
    const merged = Object.entries(other).map(([name, property]): [string, unknown] => {
      return [name, name in one ? { allOf: [one[name], property] } : property];
    });
    return { ...one, ...Object.fromEntries(merged) };
  }
  if (keyword === 'items' || keyword === 'additionalProperties') return { allOf: [one, other] };
  return other;
}

function together(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    merged[keyword] = keyword in merged ? both(keyword, merged[keyword], value) : value;
  }
  return merged;
}

function referred(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return Reflect.get(value, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }, root);
}

/** References being followed, and how often one may stand among them: one that leads into itself has no end. */
export interface Followed {
  readonly open: readonly string[];
  readonly times: number;
}

export interface Flat {
  readonly schema: Schema;
  /** References followed on the way here, and those that came before. */
  readonly open: readonly string[];
}

/** Null where a reference leads nowhere or too often back to itself, or where a part can't be fulfilled at all. */
export function flattened(schema: Schema, root: unknown, { open, times }: Followed): Flat | null {
  const { $ref: reference, allOf, const: constant, ...rest } = schema;
  const parts: unknown[] = Array.isArray(allOf) ? [...allOf] : [];
  let own = open;
  if (typeof reference === 'string') {
    if (open.filter((one) => one === reference).length >= times) return null;
    own = [...open, reference];
    parts.push(referred(root, reference));
  }
  let merged: Schema = constant === undefined ? rest : together(rest, { enum: [constant] });
  const inside = [...own];
  for (const part of parts) {
    if (part === true) continue;
    if (!isSchema(part)) return null;
    // Parts stand side by side: what one of them follows is not in the way of the next.
    const flat = flattened(part, root, { open: own, times });
    if (!flat) return null;
    inside.push(...flat.open.slice(own.length));
    merged = together(merged, flat.schema);
  }
  return { schema: merged, open: [...open, ...new Set(inside.slice(open.length))] };
}

/** The alternatives of a schema, each with everything that holds for all of them; null where it has none. */
export function branchesOf(schema: Schema): readonly unknown[] | null {
  for (const keyword of ['anyOf', 'oneOf']) {
    const { [keyword]: branches, ...rest } = schema;
    if (Array.isArray(branches)) return branches.map((branch) => (branch === true ? rest : { allOf: [rest, branch] }));
  }
  return null;
}
