import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attempt, border, type Fate } from '../../../k6/lib/bisection.ts';
import { type CoarseSizes, mostCoarse, nextCoarse } from './inference.ts';

const sizes: CoarseSizes = { floorBytes: 1000, startBytes: 65_536, capBytes: 4_194_304, halvings: 3 };

function search(fate: (bytes: number) => Fate, range = sizes): Attempt[] {
  const attempts: Attempt[] = [];
  for (let bytes = nextCoarse(attempts, range); bytes !== null; bytes = nextCoarse(attempts, range)) {
    attempts.push({ bytes, fate: fate(bytes) });
    if (attempts.length > 100) throw new Error('it never ends');
  }
  return attempts;
}

test('the border is narrowed to an eighth of a doubling, with no more bodies than announced', () => {
  fc.assert(
    fc.property(fc.integer({ min: 65_536, max: sizes.capBytes - 1 }), (largest) => {
      const attempts = search((bytes) => (bytes <= largest ? 'accepted' : 'refused'));
      const { accepted, refused } = border(attempts);
      expect(accepted).toBeLessThanOrEqual(largest);
      expect(refused).toBeGreaterThan(largest);
      expect((refused ?? 0) - (accepted ?? 0)).toBeLessThanOrEqual(Math.ceil(largest / 8));
      expect(attempts.length).toBeLessThanOrEqual(mostCoarse(sizes));
    }),
  );
});

test('the cap is tried and not passed, also where it is no power of two', () => {
  fc.assert(
    fc.property(fc.integer({ min: 65_536, max: 9_000_000 }), (capBytes) => {
      const attempts = search(() => 'accepted', { ...sizes, capBytes });
      expect(attempts.at(-1)?.bytes).toBe(capBytes);
      expect(attempts.length).toBeLessThanOrEqual(mostCoarse({ ...sizes, capBytes }));
    }),
  );
});

test('nothing large is sent where a small body is not taken, or an answer is about something else', () => {
  expect(search(() => 'refused')).toHaveLength(1);
  expect(search(() => 'unknown')).toHaveLength(1);
  expect(search((bytes) => (bytes > 200_000 ? 'unknown' : 'accepted')).map(({ bytes }) => bytes)).toEqual([
    1000, 65_536, 131_072, 262_144,
  ]);
});
