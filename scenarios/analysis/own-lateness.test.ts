/** Whose lateness it is, from turns made by hand and from a simulated load whose sender is never late by itself. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownLateness, type Turn } from './latency.ts';

const turn = (dueMs: number, begunMs: number, endMs: number): Turn => ({ dueMs, begunMs, endMs });

test('a request that had to wait for a connection is not late by its sender', () => {
  expect([...ownLateness([turn(0, 0, 50), turn(10, 50, 60), turn(20, 60, 61)], 1)]).toEqual([0, 0, 0]);
});

test('one that was sent long after a connection was free is', () => {
  expect([...ownLateness([turn(0, 0, 50), turn(10, 57, 60), turn(100, 103, 104)], 1)]).toEqual([0, 7, 3]);
});

test('with a second connection free there is nothing to wait for', () => {
  expect([...ownLateness([turn(0, 0, 50), turn(10, 50, 60)], 2)]).toEqual([0, 40]);
});

test('it takes all connections to be busy, and the one that is free first counts', () => {
  const busy = [turn(0, 0, 90), turn(1, 1, 40), turn(2, 2, 70)];
  expect([...ownLateness([...busy, turn(3, 41, 50), turn(4, 50, 55)], 3)]).toEqual([0, 0, 0, 1, 0]);
});

test('a sender that begins as soon as it can is never late by itself, however slow its target is', () => {
  const load = fc.record({
    connections: fc.integer({ min: 1, max: 8 }),
    periodMs: fc.integer({ min: 1, max: 20 }),
    tookMs: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 }),
  });
  fc.assert(
    fc.property(load, fc.nat(50), ({ connections, periodMs, tookMs }, extraMs) => {
      const run = (lateMs: number): Turn[] => {
        const free = new Array<number>(connections).fill(Number.NEGATIVE_INFINITY);
        return tookMs.map((took, slot) => {
          free.sort((a, b) => a - b);
          const begunMs = Math.max(slot * periodMs, free[0] ?? 0) + lateMs;
          free[0] = begunMs + took;
          return turn(slot * periodMs, begunMs, begunMs + took);
        });
      };
      expect([...ownLateness(run(0), connections)]).toEqual(tookMs.map(() => 0));
      expect([...ownLateness(run(extraMs), connections)]).toEqual(tookMs.map(() => extraMs));
    }),
  );
});
