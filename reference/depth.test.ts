import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deeperThan } from './depth.ts';

/** The definition, by recursion. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('a value is deeper than anything less than its depth, and than nothing more', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, most) => {
      expect(deeperThan(value, most)).toBe(depthOf(value) > most);
      const text = JSON.stringify(value);
      expect(deeperThan(JSON.parse(text), most, text.length)).toBe(depthOf(JSON.parse(text)) > most);
    }),
  );
});

test('depth that no recursion could follow is told', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const levels = 200_000;
    const value: unknown = JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);
    expect(deeperThan(value, levels - 1)).toBe(true);
    expect(deeperThan(value, levels)).toBe(false);
  }
});

test('a text too short to be that deep is not looked at', () => {
  const watched = new Proxy([], {
    get: () => {
      throw new Error('looked at');
    },
  });
  expect(deeperThan(watched, 1000, 2000)).toBe(false);
  expect(() => deeperThan(watched, 1000, 2001)).toThrow('looked at');
});

test('keys with a meaning of their own count like any other', () => {
  expect(deeperThan(JSON.parse('{"__proto__":{"constructor":[]}}'), 2)).toBe(true);
});
