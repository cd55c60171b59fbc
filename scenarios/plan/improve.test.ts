import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderSearch } from './improve.ts';

interface Job {
  readonly id: string;
  readonly lastsMs: number;
}

/** All one after the other, each a little later for what is in the wrong place before it. */
const endOf =
  (costs: readonly number[]) =>
  (order: readonly Job[]): number =>
    order.reduce(
      (atMs, { id, lastsMs }, place) => atMs + lastsMs + (costs[(Number(id) * 7 + place) % costs.length] ?? 0),
      0,
    );

const jobs = fc
  .array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 })
  .map((all) => all.map((lastsMs, index): Job => ({ id: String(index), lastsMs })));
const costs = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
const ids = (all: readonly Job[]) => all.map(({ id }) => id).sort();

test('it is never worse than what it began with, and looks as often as it may', () => {
  fc.assert(
    fc.property(jobs, costs, fc.integer({ min: 1, max: 60 }), (order, waits, looks) => {
      const asked: (readonly Job[])[] = [];
      const search = new OrderSearch(order, {
        looks,
        endOf: (one: readonly Job[]) => {
          asked.push(one);
          return endOf(waits)(one);
        },
      });
      const least = () => Math.min(...asked.map(endOf(waits)));
      do {
        expect(endOf(waits)(search.best)).toBe(least());
        expect(ids(search.best)).toEqual(ids(order));
      } while (search.look());
      expect(asked).toHaveLength(order.length < 2 ? 1 : looks);
      expect(endOf(waits)(search.best)).toBeLessThanOrEqual(endOf(waits)(order));
    }),
  );
});

test('of orders that may be better, that is the best which ends early as a rule, and no other is asked for it', () => {
  fc.assert(
    fc.property(jobs, costs, costs, fc.integer({ min: 1, max: 60 }), (order, waits, more, looks) => {
      const usualEndOf = (one: readonly Job[]) => endOf(waits)(one) + endOf(more)(one) / 2;
      const asked: { readonly usualMs: number; readonly leastMs: number; readonly endMs: number }[] = [];
      const leastMs = () => Math.min(...asked.map(({ usualMs }) => usualMs));
      const search = new OrderSearch(order, {
        looks,
        endOf: endOf(waits),
        usualEndOf: (one: readonly Job[], endMs) => {
          asked.push({ usualMs: usualEndOf(one), leastMs: leastMs(), endMs });
          expect(endMs).toBe(endOf(waits)(one));
          return usualEndOf(one);
        },
      });
      while (search.look());
      expect(usualEndOf(search.best)).toBe(leastMs());
      expect(asked.slice(1).filter((one) => one.endMs >= one.leastMs)).toEqual([]);
    }),
  );
});

test('the same question has the same answer', () => {
  const order = Array.from({ length: 9 }, (_, index) => ({ id: String(index), lastsMs: 10 }));
  const waits = [700, 3, 41, 900, 12, 350, 77, 500, 260, 8, 610];
  const found = () => {
    const search = new OrderSearch(order, { looks: 200, endOf: endOf(waits) });
    while (search.look());
    return search.best;
  };
  expect(found()).toEqual(found());
});

test('it gets out of an order that no single step makes better', () => {
  const order = ['a', 'b', 'c', 'd', 'e'];
  // Only with both at the front it is better, and each of them alone there is worse.
  const valley = (one: readonly string[]) => {
    const front = one.slice(0, 2);
    const there = [front.includes('d'), front.includes('e')].filter(Boolean).length;
    return [1000, 1300, 0][there] ?? 0;
  };
  const search = new OrderSearch(order, { looks: 300, endOf: valley });
  while (search.look());
  expect(search.best.slice(0, 2).sort()).toEqual(['d', 'e']);
});
