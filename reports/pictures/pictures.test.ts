import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Picture } from '../../schemas/facts.ts';
import { limits, limitsOf } from '../../schemas/limits.ts';
import { renderPicture } from '../kinds/index.ts';
import { trailing } from '../kinds/rate/index.ts';
import { samplePictures } from '../testing/fixtures-pictures.ts';
import { bars, crosses, dots, scale, steps } from './plot.ts';

const all = limits.flatMap((limit) => [...samplePictures(limit, true), ...samplePictures(limit, false)]);

const empty: readonly Picture[] = [
  { kind: 'arrivals', binMs: 50, windowMs: 10_000, limit: 10, admitted: [], refused: [] },
  { kind: 'in-flight', limit: 2, steps: [] },
  { kind: 'bytes', accept: 10, refuse: 10, attempts: [] },
  { kind: 'queue', instId: '<i>', border: 50, points: [] },
  { kind: 'retention', documentedMs: 60_000, looks: [] },
];

test('every picture is a small figure that says in words what it shows', () => {
  for (const picture of [...all, ...empty]) {
    const { text } = renderPicture(picture);
    expect(text).toMatch(/^<figure><svg class="picture" viewBox="0 0 300 \d+" role="img" aria-label="[^"]+\.">/);
    expect(text).not.toMatch(/NaN|Infinity|undefined|<i>/);
    expect(text.length).toBeLessThan(20_000);
  }
});

test.each([
  ['arrivals', /As many as 1,000 requests were admitted within 10 s, against a limit of 1,000; 1,000 were refused\./],
  ['in-flight', /At most 1,000 requests were in flight at once, against a limit of 1,000; 3 were refused\./],
  ['bytes', /The largest body accepted had 10,121,440 bytes; the smallest refused 10,242,880\./],
  ['queue', /Endpoint inst-queue, limit 50 jobs: accepted with up to 51 queued, refused with 52 or more\./],
  ['retention', /Jobs after their end: there up to 29 min 42 s, gone from 30 min 18 s\./],
] as const)('%s shows its numbers exactly', (kind, words) => {
  const picture = all.find((one) => one.kind === kind);
  expect(picture && renderPicture(picture).text).toMatch(words);
});

test('a picture of chunked bodies says so', () => {
  const picture = { kind: 'bytes', accept: 10, refuse: 20, encoding: 'chunked' } as const;
  const reported = (accepted: boolean) => renderPicture({ ...picture, attempts: [{ bytes: 10, accepted }] }).text;
  expect(reported(true)).toContain('The largest chunked body accepted had 10 bytes; none was refused.');
  expect(reported(false)).toContain('No chunked body was accepted; the smallest refused 10.');
});

test('a limit that is not kept is seen above its line', () => {
  const [picture] = samplePictures(limitsOf('requests')[0] ?? expect.fail('there are rate limits'), false);
  expect(picture && renderPicture(picture).text).toContain('As many as 2,000 requests were admitted within 10 s');
});

test('the trailing window holds what came within it', () => {
  expect(trailing([1, 2, 3, 4], 2)).toEqual([1, 3, 5, 7]);
  expect(trailing([], 3)).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.nat(100)), fc.integer({ min: 1, max: 20 }), (counts, bins) => {
      const expected = counts.map((_, i) => counts.slice(Math.max(0, i - bins + 1), i + 1).reduce((a, b) => a + b, 0));
      expect(trailing(counts, bins)).toEqual(expected);
    }),
  );
});

test('a scale keeps to its range, also for an empty domain', () => {
  const x = scale(10, 20, 0, 100);
  expect([x(10), x(15), x(20), x(5), x(25)]).toEqual([0, 50, 100, 0, 100]);
  expect(scale(3, 3, 7, 9)(3)).toBe(7);
});

test('marks are paths', () => {
  const points = [
    { x: 1, y: 2 },
    { x: 3.12839, y: 4 },
  ];
  expect(steps(points)).toBe('M1 2H3.1V4');
  expect(dots(points)).toBe('M1 2h0M3.1 4h0');
  expect(crosses([{ x: 5, y: 5 }], 1)).toBe('M4 4l2 2m0 -2l-2 2');
  expect(bars([{ x: 0, height: 3 }], 10, 2)).toBe('M0 10v-3h2v3z');
});
