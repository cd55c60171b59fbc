/** Whatever is alive ends with this process, by one listener; what has ended by itself is left alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endWithUs } from './k6-process.ts';

/** Those that are here now and were not before. */
const before = process.listeners('exit');
const ours = () => process.listeners('exit').filter((one) => !before.includes(one));

test('there is one listener for all of them, and none without any', () => {
  const ends = Array.from({ length: 30 }, () => endWithUs(() => {}));
  expect(ours()).toHaveLength(1);
  for (const taken of ends) taken();
  expect(ours()).toEqual([]);
});

test('in any order: exactly those that are alive are ended', () => {
  const steps = fc.array(fc.record({ comes: fc.boolean(), which: fc.nat(7) }), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      const alive = new Map<number, () => void>();
      const gone: (() => void)[] = [];
      const ended: number[] = [];
      for (const { comes, which } of all) {
        const over = alive.get(which);
        if (comes && !over)
          alive.set(
            which,
            endWithUs(() => ended.push(which)),
          );
        if (comes || !over) continue;
        over();
        alive.delete(which);
        gone.push(over);
      }
      // Ending twice takes nobody else's place.
      for (const over of gone) over();
      expect(ours()).toHaveLength(alive.size > 0 ? 1 : 0);
      for (const listener of ours()) listener(0);
      expect(ended.sort()).toEqual([...alive.keys()].sort());
      for (const over of alive.values()) over();
      expect(ours()).toEqual([]);
    }),
  );
});

test('the same end given twice is taken back once at a time', () => {
  let ended = 0;
  const end = () => {
    ended += 1;
  };
  const [first, second] = [endWithUs(end), endWithUs(end)];
  first();
  for (const listener of ours()) listener(0);
  expect(ended).toBe(1);
  second();
  expect(ours()).toEqual([]);
});
