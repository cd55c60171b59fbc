/** What the JSON Schemas of our own files are written with. */

/** An object whose named properties are all required, except those listed as optional. */
export function object<P extends Record<string, unknown>>(properties: P, optional: readonly (keyof P & string)[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required } as const;
}

export const list = <S>(items: S) => ({ type: 'array', items }) as const;

/** What fits such a schema. What it says nothing of is unknown. */
export type TypeOf<S> = S extends { readonly anyOf: readonly (infer A)[] }
  ? TypeOf<A>
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
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
