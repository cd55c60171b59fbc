/** The picture of aging jobs: what it says, and that older stands further right. */
import { expect, test } from 'vitest';
import { renderRetention } from './index.ts';

const looks = [
  { ageMs: 0, gone: false },
  { ageMs: 30_000, gone: false },
  { ageMs: 59_000, gone: false },
  { ageMs: 61_000, gone: true },
];

test('it shows until when jobs were there, and from when they were gone', () => {
  const { text } = renderRetention({ kind: 'retention', documentedMs: 60_000, looks });
  expect(text).toContain('Jobs after their end: there up to 59 s, gone from 1 min 1 s.');
  expect(text).toContain('documented 1 min');
});

test('ages that double lie equally far apart', () => {
  const ages = [7500, 15_000, 30_000].map((ageMs) => ({ ageMs, gone: false }));
  const { text } = renderRetention({ kind: 'retention', documentedMs: 60_000, looks: ages });
  const [, path = ''] = /class="dot" d="([^"]+)"/.exec(text) ?? [];
  const [a = 0, b = 0, c = 0] = [...path.matchAll(/M([\d.]+)/g)].map(([, x]) => Number(x));
  expect(b - a).toBeGreaterThan(10);
  expect(c - b).toBeCloseTo(b - a, 0);
});

test('one that never went says so', () => {
  const { text } = renderRetention({ kind: 'retention', documentedMs: 60_000, looks: looks.slice(0, 2) });
  expect(text).toContain('never gone');
});
