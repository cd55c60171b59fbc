/** What the pictures draw: borders where the limit is, marks where something was refused, and not too many of them. */
import { expect, test } from 'vitest';
import type { ArrivalsPicture, InFlightPicture } from '../../schemas/facts.ts';
import { renderInFlight } from '../kinds/concurrency/index.ts';
import { renderBytes } from '../kinds/payload/index.ts';
import { renderQueue } from '../kinds/queue/index.ts';
import { renderArrivals } from '../kinds/rate/index.ts';
import { WIDTH } from './plot.ts';

const pathOf = (text: string, name: string): string => new RegExp(`class="${name}" d="([^"]*)"`).exec(text)?.[1] ?? '';
const numbers = (path: string): number[] => (path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
const heights = (path: string): number[] => [...path.matchAll(/[V ](\d+(?:\.\d+)?)/g)].map((match) => Number(match[1]));
const borderOf = (text: string): number => numbers(pathOf(text, 'border'))[1] ?? Number.NaN;

const arrivals = (changes: Partial<ArrivalsPicture>): string =>
  renderArrivals({ kind: 'arrivals', binMs: 1000, windowMs: 3000, limit: 6, admitted: [], refused: [], ...changes })
    .text;

test('arrivals at the limit touch the border, one more rises above it', () => {
  const at = arrivals({ admitted: [2, 2, 2, 0] });
  expect(Math.min(...heights(pathOf(at, 'line')))).toBe(borderOf(at));
  const above = arrivals({ admitted: [2, 2, 3, 0] });
  expect(Math.min(...heights(pathOf(above, 'line')))).toBeLessThan(borderOf(above));
});

test('refused arrivals have bars where they happened, the tallest where most were', () => {
  const bars = pathOf(arrivals({ admitted: [6, 0, 0, 0], refused: [0, 1, 0, 4] }), 'refused');
  const each = bars.split('z').filter((bar) => bar !== '');
  expect(each.map((bar) => numbers(bar)[0])).toEqual([WIDTH / 4, (3 * WIDTH) / 4]);
  expect(each.map((bar) => numbers(bar)[2])).toEqual([-4, -16]);
});

test('a long run is drawn in few columns and loses no peak', () => {
  const admitted = new Array<number>(3000).fill(0);
  admitted[1501] = 9;
  const text = arrivals({ admitted });
  expect(text.length).toBeLessThan(5000);
  expect(text).toContain('As many as 9 requests were admitted within 3 s');
  expect(Math.min(...heights(pathOf(text, 'line')))).toBeLessThan(borderOf(text));
});

const inFlight = (steps: InFlightPicture['steps'], limit = 2): string =>
  renderInFlight({ kind: 'in-flight', limit, steps }).text;

test('requests in flight are a line over the whole width, refusals are crosses where the count rises', () => {
  const text = inFlight([
    { atMs: 100, inFlight: 1, refused: 0 },
    { atMs: 150, inFlight: 2, refused: 0 },
    { atMs: 200, inFlight: 2, refused: 3 },
    { atMs: 300, inFlight: 0, refused: 3 },
  ]);
  expect(pathOf(text, 'line')).toMatch(/^M0 .*H300V76$/);
  expect(pathOf(text, 'cross').split('M')).toHaveLength(2);
  expect(numbers(pathOf(text, 'cross'))[0]).toBe(150 - 3);
  expect(text).toContain('crosses: 3 refused');
  expect(Math.min(...heights(pathOf(text, 'line')))).toBe(borderOf(text));
});

test('body sizes far outside stand at the edges, on their side of the line', () => {
  const attempts = [
    { bytes: 1, accepted: true },
    { bytes: 100, accepted: true },
    { bytes: 999, accepted: false },
  ];
  const { text } = renderBytes({ kind: 'bytes', accept: 100, refuse: 200, attempts });
  const [edge, y, , border] = numbers(pathOf(text, 'dot'));
  expect([edge, y]).toEqual([5, 22]);
  expect(border).toBe(borderX(text));
  expect(numbers(pathOf(text, 'cross')).slice(0, 2)).toEqual([WIDTH - 5 - 3, 42 - 3]);
});

const borderX = (text: string): number => Math.round((numbers(pathOf(text, 'border'))[0] ?? 0) * 10) / 10;

test('a size that was accepted beyond the border is shown', () => {
  const attempts = [{ bytes: 500, accepted: true }];
  const { text } = renderBytes({ kind: 'bytes', accept: 100, refuse: 200, attempts });
  expect(text).toContain('The largest body accepted had 500 bytes; none was refused.');
  expect(renderBytes({ kind: 'bytes', accept: 1, refuse: 2, attempts: [] }).text).toContain('No body was accepted');
});

test('a full queue is drawn in few dots, with every refusal and the last admission', () => {
  const points = Array.from({ length: 1503 }, (_, queued) => ({ queued, accepted: queued <= 1500 }));
  const { text } = renderQueue({ kind: 'queue', instId: 'inst-1', border: 1500, points });
  const dots = pathOf(text, 'dot').split('M').length - 1;
  expect(dots).toBeGreaterThan(100);
  expect(dots).toBeLessThan(140);
  expect(pathOf(text, 'cross').split('M')).toHaveLength(3);
  expect(text).toContain('accepted with up to 1,500 queued, refused with 1,501 or more');
});
