import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deeperThan } from './call.ts';

/** The definition, by recursion. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Strings that a scan could take for structure. */
const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'ü', ' '), maxLength: 12 });
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6 },
    tricky,
    fc.constantFrom(null, 1, [], {}),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(tricky, tie('node'), { maxKeys: 3 }),
  ),
})).node;

test('a text is deeper than anything less than its depth, and than nothing more', () => {
  fc.assert(
    fc.property(value, fc.nat(8), fc.constantFrom(0, 2), (one, most, indent) => {
      // Behind a long string, so that no text is too short to be looked at.
      const text = JSON.stringify(['"\\'.repeat(20), one], null, indent);
      expect(deeperThan(text, most)).toBe(1 + depthOf(one) > most);
    }),
    { numRuns: 500 },
  );
});

test.for([
  ['[', ']'],
  ['{"a":', '}'],
  ['{"[[":[ ', '] }'],
] as const)('depth that no recursion could follow is found: %s', ([open, close]) => {
  const levels = 200_000;
  const text = `${open.repeat(levels)}1${close.repeat(levels)}`;
  const depth = levels * (open.replace('"[["', '').match(/[[{]/g)?.length ?? 0);
  expect(deeperThan(text, depth - 1)).toBe(true);
  expect(deeperThan(text, depth)).toBe(false);
});

test('brackets one after the other are not deep', () => {
  expect(deeperThan(`[${'[],{},'.repeat(10_000)}1]`, 2)).toBe(false);
  expect(deeperThan(`["${'['.repeat(10_000)}"]`, 1)).toBe(false);
});

test('a string that never ends ends the search', () => {
  expect(deeperThan(`"${'['.repeat(100)}`, 5)).toBe(false);
  expect(deeperThan(`"${'[\\"'.repeat(100)}`, 5)).toBe(false);
});
