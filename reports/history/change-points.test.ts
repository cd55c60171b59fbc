import { expect, test } from 'vitest';
import { seeded } from '../../schemas/seeded.ts';
import { changePoints } from './change-points.ts';

/** Latencies about a level: most within a tenth of it, some far above, as a busy machine has them. */
function noise(seed: number, levels: readonly number[]): number[] {
  const random = seeded(seed);
  return levels.map((level) => level * (0.95 + random() * 0.1) * (random() < 0.05 ? 1 + 4 * random() : 1));
}

const level = (ms: number, runs: number): number[] => new Array<number>(runs).fill(ms);
const places = (values: readonly number[]): number[] => changePoints(values).map(({ at }) => at);

test('nothing is reported of few runs, equal ones, or ones that went from one value to another and back', () => {
  expect(places([])).toEqual([]);
  expect(places([5, 50, 5, 50, 5, 50, 5])).toEqual([]);
  expect(places(level(7, 60))).toEqual([]);
  expect(places([...level(7, 20), 90, ...level(7, 20)])).toEqual([]);
});

test('a service that stays as it is hardly ever seems to change', () => {
  const found = Array.from({ length: 200 }, (_, seed) => places(noise(seed, level(10, 40)))).flat();
  expect(found.length).toBeLessThanOrEqual(4);
});

test.each([1.3, 1.5, 3, 1 / 2])('a step to %s times is found where it is', (ratio) => {
  for (let seed = 0; seed < 20; seed += 1) {
    const found = changePoints(noise(seed, [...level(10, 20), ...level(10 * ratio, 20)]));
    expect(found).toHaveLength(1);
    expect(Math.abs((found[0]?.at ?? 0) - 20)).toBeLessThanOrEqual(2);
    expect((found[0]?.after ?? 0) / (found[0]?.before ?? 1)).toBeCloseTo(ratio, 0);
  }
});

test('a week after a step it is found, on the night', () => {
  const found = Array.from({ length: 20 }, (_, seed) => places(noise(seed, [...level(10, 25), ...level(20, 7)])));
  expect(found.filter(([at]) => at === 25).length).toBeGreaterThanOrEqual(17);
});

test('two steps are two changes, with the level between them', () => {
  const found = changePoints(noise(3, [...level(10, 15), ...level(20, 15), ...level(5, 15)]));
  expect(found.map(({ at }) => at)).toEqual([15, 30]);
  expect(found[0]?.after).toBe(found[1]?.before);
});

test('less than a tenth is no change to anyone', () => {
  expect(places([...level(100, 30), ...level(105, 30)])).toEqual([]);
});
