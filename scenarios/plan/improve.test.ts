import fc from 'fast-check';
import { expect, test } from 'vitest';
import { improved, type Outcome } from './improve.ts';

interface Job {
  readonly id: string;
  readonly lastsMs: number;
}

/** All one after the other, each a little later for what is in the wrong place before it. */
function outcomeOf(order: readonly Job[], costs: readonly number[]): Outcome {
  let atMs = 0;
  const entries = order.map(({ id, lastsMs }, place) => {
    const startMs = atMs + (costs[(Number(id) * 7 + place) % costs.length] ?? 0);
    atMs = startMs + lastsMs;
    return { probeId: id, startMs, endMs: atMs };
  });
  return { endMs: atMs, courses: [entries] };
}

const jobs = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 });
const costs = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });

test('it is the same probes, no later than before, and looked at a bounded number of times', () => {
  fc.assert(
    fc.property(jobs, costs, (lengths, waits) => {
      const order = lengths.map((lastsMs, index) => ({ id: String(index), lastsMs }));
      let looks = 0;
      const better = improved(order, (one) => {
        looks += 1;
        return outcomeOf(one, waits);
      });
      const ids = (all: readonly Job[]) => all.map(({ id }) => id).sort();
      expect(ids(better)).toEqual(ids(order));
      expect(outcomeOf(better, waits).endMs).toBeLessThanOrEqual(outcomeOf(order, waits).endMs);
      expect(looks).toBeLessThanOrEqual(300);
    }),
  );
});

test('no single move of what it ends with would be better', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 5 }),
      costs,
      (lengths, waits) => {
        const order = lengths.map((lastsMs, index) => ({ id: String(index), lastsMs }));
        const best = improved(order, (one) => outcomeOf(one, waits));
        const { endMs } = outcomeOf(best, waits);
        for (const one of best) {
          const others = best.filter((other) => other !== one);
          for (let place = 0; place < best.length; place += 1) {
            const moved = [...others.slice(0, place), one, ...others.slice(place)];
            expect(outcomeOf(moved, waits).endMs).toBeGreaterThanOrEqual(endMs);
          }
        }
      },
    ),
  );
});

test('whoever stands in the way of the longest one is moved behind it', () => {
  const order = ['0', '1', '2'].map((id) => ({ id, lastsMs: 10 }));
  const only = (wanted: string) => (one: readonly Job[]) => {
    const place = one.findIndex(({ id }) => id === wanted);
    return { endMs: place, courses: [one.map(({ id }, index) => ({ probeId: id, startMs: index, endMs: index + 1 }))] };
  };
  expect(improved(order, only('2')).map(({ id }) => id)).toEqual(['2', '0', '1']);
});
