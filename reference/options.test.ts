import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeded } from '../schemas/seeded.ts';
import { hex, jobId } from './ids.ts';
import { defaultOptions, within } from './options.ts';

test('keys come from the environment, else they are the local ones', () => {
  expect(defaultOptions({})).toMatchObject({
    accessKeys: ['proofload-local'],
    jobKeys: [],
    brokeKeys: ['proofload-broke'],
    otherKeys: ['proofload-other'],
  });
  const environment = {
    PROOFLOAD_ACCESS_KEY: 'a',
    PROOFLOAD_JOB_KEY: 'b',
    PROOFLOAD_BROKE_KEY: 'c',
    PROOFLOAD_OTHER_KEY: 'd',
  };
  expect(defaultOptions(environment)).toMatchObject({
    accessKeys: ['a'],
    jobKeys: ['b'],
    brokeKeys: ['c'],
    otherKeys: ['d'],
  });
  expect(defaultOptions({ PROOFLOAD_ACCESS_KEY: '' }).accessKeys).toEqual(['proofload-local']);
});

test('three instances, one of them without workers', () => {
  expect(defaultOptions({}).instances).toEqual([
    { instId: 'inst-1', workersMax: 3 },
    { instId: 'inst-queue', workersMax: 1 },
    { instId: 'inst-none', workersMax: 0 },
  ]);
});

const range = { default: 50, min: 10, max: 100 };

test('a value is moved to the nearest bound', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (requested) => {
      const value = within(range, requested);
      expect(value).toBeGreaterThanOrEqual(range.min);
      expect(value).toBeLessThanOrEqual(range.max);
      if (requested >= range.min && requested <= range.max) expect(value).toBe(requested);
      expect(within(range, String(requested))).toBe(value);
    }),
  );
});

test('what is no number gets the default', () => {
  for (const requested of [undefined, null, '', ' ', 'soon', Number.NaN, Number.POSITIVE_INFINITY, {}, [], true]) {
    expect(within(range, requested)).toBe(50);
  }
});

test("identifiers are as random as their source, and of the service's form", () => {
  const random = seeded(3);
  const ids = Array.from({ length: 500 }, () => jobId(random, 'run'));
  expect(new Set(ids).size).toBe(500);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(jobId(random, 'runsync')).toMatch(/^sync-[0-9a-f-]{36}$/);
  expect(jobId(seeded(3), 'run')).toBe(ids[0]);
  expect([1, 8, 9, 24].map((length) => hex(random, length).length)).toEqual([1, 8, 9, 24]);
});
