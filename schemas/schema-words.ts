/**
 * The JSON Schemas of our own files are written with these, and their types come from them. TypeBox would do the same
 * with mutable types, and ours are read-only throughout.
 */

type Properties = Readonly<Record<string, unknown>>;

/** An object with properties that must be there and others that may be absent. Others than these are no break. */
export function object<const R extends Properties, const O extends Properties = Record<never, never>>(
  must: R,
  may?: O,
) {
  const required = Object.keys(must) as readonly (keyof R & string)[];
  return { type: 'object', properties: { ...must, ...may } as R & O, required } as const;
}

export const list = <const S>(items: S) => ({ type: 'array', items }) as const;
export const map = <const S>(values: S) => ({ type: 'object', additionalProperties: values }) as const;
export const orNull = <const S>(schema: S) => ({ oneOf: [{ type: 'null' }, schema] }) as const;

/** One of a few words, or numbers. */
export const choice = <const E extends readonly unknown[]>(...values: E) => ({ enum: values }) as const;

/** For a value of which TypeScript knows more than its schema says. */
export const as = <T>(schema: object): As<T> => schema;

export const text = { type: 'string' } as const;
export const nullableText = { type: ['string', 'null'] } as const;
export const id = { type: 'string', pattern: '^[a-z0-9]+(?:[.-][a-z0-9]+)*$' } as const;
export const instant = { type: 'string', format: 'date-time' } as const;
export const day = { type: 'string', format: 'date' } as const;
export const flag = { type: 'boolean' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const number = { type: 'number' } as const;
export const nullableNumber = { type: ['number', 'null'] } as const;
/** A length of time, or a rate. */
export const atLeastZero = { type: 'number', minimum: 0 } as const;

declare const known: unique symbol;
interface As<T> {
  readonly [known]?: T;
}

/** What fits such a schema. What it says nothing of is unknown. */
export type TypeOf<S> = S extends As<infer T> ? (typeof known extends keyof S ? T : Said<S>) : Said<S>;

type Said<S> = S extends { readonly anyOf: readonly (infer A)[] } | { readonly oneOf: readonly (infer A)[] }
  ? TypeOf<A>
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly const: infer C }
      ? C
      : S extends { readonly type: infer T }
        ? T extends readonly (infer U)[]
          ? TypeOf<{ readonly type: U }>
          : Named<S, T>
        : unknown;

type Named<S, T> = T extends 'string'
  ? string
  : T extends 'integer' | 'number'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? readonly TypeOf<I>[]
            : readonly unknown[]
          : ObjectOf<S>;

type ObjectOf<S> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P & RequiredOf<S>]: TypeOf<P[K]> } & {
      readonly [K in Exclude<keyof P, RequiredOf<S>>]?: TypeOf<P[K]>;
    }
  : S extends { readonly additionalProperties: infer A }
    ? Readonly<Record<string, TypeOf<A>>>
    : Readonly<Record<string, unknown>>;

type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
