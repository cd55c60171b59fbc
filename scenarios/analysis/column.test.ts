import fc from 'fast-check';
import { expect, test } from 'vitest';
import { column, sortedColumn } from './column.ts';

const rows = fc.array(fc.record({ ms: fc.double({ noNaN: true }) }));

test('it holds what was picked, in the order of the rows', () => {
  fc.assert(
    fc.property(rows, (all) => {
      expect([...column(all, ({ ms }) => ms)]).toEqual(all.map(({ ms }) => ms));
    }),
  );
});

test('sorted by size, not as words', () => {
  expect([...sortedColumn([10, 9, -1, 100], (value) => value)]).toEqual([-1, 9, 10, 100]);
});
