import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Attempt, border, type Fate, MOST_ATTEMPTS, nextSize, type Sizes } from './bisection.ts';

const documented: Sizes = { acceptBytes: 10_000_000, refuseBytes: 10_485_761, floorBytes: 1000, capBytes: 20_971_520 };

function search(sizes: Sizes, fate: (bytes: number) => Fate): Attempt[] {
  const attempts: Attempt[] = [];
  for (let bytes = nextSize(attempts, sizes); bytes !== null; bytes = nextSize(attempts, sizes)) {
    attempts.push({ bytes, fate: fate(bytes) });
    if (attempts.length > MOST_ATTEMPTS) throw new Error('it never ends');
  }
  return attempts;
}

const limitOf =
  (largest: number) =>
  (bytes: number): Fate =>
    bytes <= largest ? 'accepted' : 'refused';

describe('a target with one border', () => {
  test('is found to the byte wherever the border is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: documented.capBytes - 1 }), (largest) => {
        const attempts = search(documented, limitOf(largest));
        expect(border(attempts)).toEqual({ accepted: largest, refused: largest + 1 });
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [10_000_000, 4],
    [10_485_760, 5],
  ])('at a documented reading (%i) costs few bodies', (largest, most) => {
    expect(search(documented, limitOf(largest)).length).toBeLessThanOrEqual(most);
  });

  test('is searched for with few bodies anywhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * documented.capBytes }), (largest) => {
        expect(search(documented, limitOf(largest)).length).toBeLessThanOrEqual(32);
      }),
    );
  });

  test('no size outside the range is ever sent, none twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * documented.capBytes }), (largest) => {
        const sent = search(documented, limitOf(largest)).map((one) => one.bytes);
        expect(new Set(sent).size).toBe(sent.length);
        expect(Math.min(...sent)).toBeGreaterThanOrEqual(documented.floorBytes);
        expect(Math.max(...sent)).toBeLessThanOrEqual(documented.capBytes);
      }),
    );
  });
});

test('the documented sizes come first, the small body that shows that the rest is about size before them', () => {
  const attempts = search(documented, limitOf(10_000_000));
  expect(attempts.slice(0, 3).map((one) => one.bytes)).toEqual([1000, 10_000_000, 10_485_761]);
});

test('a target without a limit gets the cap and no more', () => {
  const attempts = search(documented, () => 'accepted');
  expect(border(attempts)).toEqual({ accepted: documented.capBytes, refused: null });
});

test('where even the small body is refused, no large one is sent', () => {
  expect(search(documented, () => 'refused')).toEqual([{ bytes: 1000, fate: 'refused' }]);
});

test('an answer that is neither an acceptance nor a refusal ends the search', () => {
  const attempts = search(documented, (bytes) => (bytes > 10_100_000 ? 'unknown' : 'accepted'));
  expect(attempts.map((one) => one.fate)).toEqual(['accepted', 'accepted', 'unknown']);
});

test('a larger body accepted than one refused ends the search', () => {
  const attempts = search(documented, (bytes) => (bytes === 10_000_000 ? 'refused' : 'accepted'));
  expect(attempts).toHaveLength(3);
});

test('a target with changing answers gets a bounded number of requests', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Fate>('accepted', 'refused'), { minLength: 60, maxLength: 60 }), (moods) => {
      let index = 0;
      const attempts = search(documented, () => moods[index++] ?? 'refused');
      expect(attempts.length).toBeLessThanOrEqual(MOST_ATTEMPTS);
    }),
  );
});

describe('with a guess', () => {
  const guessing = (guessBytes: number): Sizes => ({ ...documented, guessBytes });

  test('the border is still found to the byte, for any border and any guess', () => {
    const anywhere = fc.integer({ min: 1000, max: documented.capBytes - 1 });
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 0, max: 2 * documented.capBytes }), (largest, guess) => {
        const attempts = search(guessing(guess), limitOf(largest));
        expect(border(attempts)).toEqual({ accepted: largest, refused: largest + 1 });
        expect(new Set(attempts.map((one) => one.bytes)).size).toBe(attempts.length);
      }),
      { numRuns: 500 },
    );
  });

  test('a right guess costs the documented sizes and two more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: documented.capBytes - 1 }), (largest) => {
        expect(search(guessing(largest), limitOf(largest)).length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test('a guess is tried only where the border can still be', () => {
    const sizes = search(guessing(10_485_760), () => 'accepted').map((one) => one.bytes);
    expect(sizes).toEqual([1000, 10_000_000, 10_485_761, documented.capBytes]);
  });
});
