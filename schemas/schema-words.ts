/** What the JSON Schemas of our own files are written with. */

/** An object whose named properties are all required, except those listed as optional. */
export function object<P extends Record<string, unknown>>(properties: P, optional: readonly (keyof P & string)[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required } as const;
}

export const list = <S>(items: S) => ({ type: 'array', items }) as const;
