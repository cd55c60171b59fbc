/** The heap against a plain sorted list: whoever comes, leaves early or is woken, in every order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sleepers } from './clock.ts';

type Step =
  | { readonly kind: 'add'; readonly at: number }
  | { readonly kind: 'leave'; readonly which: number }
  | { readonly kind: 'due'; readonly now: number };

/** Few different times, so that many sleepers share a moment. */
const times = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.double({ min: 0, max: 8, noNaN: true }));
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), at: times }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat(60) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('due' as const), now: times }) },
  ),
  { maxLength: 120 },
);

interface Modelled {
  readonly at: number;
  readonly wake: () => void;
  readonly leave: () => void;
  inside: boolean;
}

/** Plays the steps on the heap and on a list that is sorted anew each time. */
function play(history: readonly Step[]): void {
  const heap = new Sleepers();
  const all: Modelled[] = [];
  // A stable sort: those of one moment stay in the order they came.
  const inside = (): Modelled[] => all.filter((one) => one.inside).sort((a, b) => a.at - b.at);
  for (const step of history) {
    if (step.kind === 'add') {
      const sleeper = { at: step.at, wake: () => undefined };
      all.push({ ...sleeper, leave: heap.add(sleeper), inside: true });
    } else if (step.kind === 'leave') {
      // Whoever has left already is told again, which must change nothing.
      const one = all[step.which];
      one?.leave();
      if (one) one.inside = false;
    } else {
      const due = inside().filter((one) => one.at <= step.now);
      expect(heap.due(step.now).map(({ wake }) => wake)).toEqual(due.map(({ wake }) => wake));
      for (const one of due) one.inside = false;
    }
    expect(heap.size).toBe(inside().length);
    expect(heap.next).toBe(inside()[0]?.at ?? Number.POSITIVE_INFINITY);
  }
}

test('wakes in the order of times, then of arrival, and allows removal from the middle', () => {
  fc.assert(fc.property(steps, play), { numRuns: 500 });
});

test('is empty after all have left, in any order', () => {
  fc.assert(
    fc.property(fc.array(times, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (all, picks) => {
      const heap = new Sleepers();
      const leaves = all.map((at) => heap.add({ at, wake: () => undefined }));
      while (leaves.length > 0) {
        const [leave] = leaves.splice((picks.next().value ?? 0) % leaves.length, 1);
        leave?.();
        expect(heap.size).toBe(leaves.length);
      }
      expect(heap.due(Number.POSITIVE_INFINITY)).toEqual([]);
    }),
  );
});
