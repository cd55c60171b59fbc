import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Deadlines, type Due } from './deadlines.ts';

const fresh = (): Due => ({ due: Number.POSITIVE_INFINITY, place: -1 });

test('the first is always the one that is due first, after any changes', () => {
  const move = fc.record({ which: fc.nat(15), due: fc.option(fc.nat(50)) });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
      const all = Array.from({ length: 16 }, fresh);
      const deadlines = new Deadlines<Due>();
      for (const { which, due } of moves) {
        const one = all[which] ?? fresh();
        if (due === null) deadlines.remove(one);
        else deadlines.set(one, due);
        const kept = all.filter((other) => other.due < Number.POSITIVE_INFINITY);
        expect(deadlines.size).toBe(kept.length);
        expect(deadlines.first?.due).toBe(kept.length > 0 ? Math.min(...kept.map((other) => other.due)) : undefined);
      }
      const order: number[] = [];
      for (let first = deadlines.first; first; first = deadlines.first) {
        order.push(first.due);
        deadlines.remove(first);
      }
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(all.every(({ due, place }) => due === Number.POSITIVE_INFINITY && place === -1)).toBe(true);
    }),
  );
});

test('one that is never due is not kept', () => {
  const deadlines = new Deadlines<Due>();
  const one = fresh();
  deadlines.set(one, 5);
  deadlines.set(one, Number.POSITIVE_INFINITY);
  expect(deadlines.first).toBeUndefined();
  deadlines.remove(one);
  expect(deadlines.size).toBe(0);
});
