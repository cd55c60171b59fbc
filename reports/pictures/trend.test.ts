import { expect, test } from 'vitest';
import { renderTrend, type TrendPicture } from '../html/trend.ts';

const drawn = (changes: Partial<TrendPicture>): string =>
  renderTrend({ runs: 3, marks: [], border: null, changes: [], says: 'it', ...changes }).text;
const moves = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`class="${name}" d="([^"]*)"`, 'g'))].flatMap(
    ([, path]) => path?.match(/M[\d.]+ [\d.]+/g) ?? [],
  );

test('one mark a run, the newest on the right, higher for more', () => {
  const marks = [10, 20, 15].map((value, run) => ({ run, lower: value, upper: value }));
  const places = moves(drawn({ marks }), 'dot at').map((move) => move.slice(1).split(' ').map(Number));
  const [first = [], second = [], third = []] = places;
  expect([first[0], second[0], third[0]]).toEqual([...places.map(([x]) => x)].sort((a, b) => (a ?? 0) - (b ?? 0)));
  expect((second[1] ?? 0) < (third[1] ?? 0) && (third[1] ?? 0) < (first[1] ?? 0)).toBe(true);
});

test('what is wrong is a cross, an interval has a bar, and an open one reaches the top', () => {
  const wrong = drawn({
    marks: [
      { run: 0, lower: 5, upper: 5, wrong: true },
      { run: 1, lower: 5, upper: 5 },
    ],
  });
  expect([moves(wrong, 'dot at').length, /class="cross"/.test(wrong)]).toEqual([1, true]);
  expect(drawn({ marks: [{ run: 0, lower: 5, upper: 9 }] })).toContain('class="area"');
  expect(drawn({ marks: [{ run: 0, lower: 5, upper: null }] })).toMatch(/class="area" d="M[\d.]+ [\d.]+v-/);
});

test('changes and the documented value are strokes; equal values and a single run divide by nothing', () => {
  const text = drawn({ runs: 1, marks: [{ run: 0, lower: 7, upper: 7 }], border: 7, changes: [0] });
  expect(text).toContain('class="border"');
  expect(moves(text, 'axis turn')).toHaveLength(1);
  expect(text).not.toContain('NaN');
  expect(drawn({ marks: [{ run: 0, lower: 0, upper: 0 }] })).not.toContain('NaN');
});
