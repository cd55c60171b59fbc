import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Gate, type Slot } from './gate.ts';

test('never more than the limit inside, never a refusal below it, every slot freed exactly once', () => {
  const steps = fc.array(fc.oneof(fc.constant('enter' as const), fc.nat({ max: 30 })), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), steps, (limit, moves) => {
      const gate = new Gate(limit);
      const slots: { slot: Slot; held: boolean }[] = [];
      const inside = (): number => slots.filter((one) => one.held).length;
      for (const move of moves) {
        if (move === 'enter') {
          const room = inside() < limit;
          const slot = gate.enter();
          expect(slot !== null).toBe(room);
          if (slot) slots.push({ slot, held: true });
        } else {
          // Any slot ever given, so that many are freed twice and more.
          const one = slots[move];
          one?.slot.free();
          if (one) one.held = false;
        }
        expect(gate.taken).toBe(inside());
      }
    }),
  );
});

test('a gate without a limit admits everything', () => {
  const gate = new Gate(Number.POSITIVE_INFINITY);
  for (let count = 0; count < 5000; count += 1) expect(gate.enter()).not.toBeNull();
});
