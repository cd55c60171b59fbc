/** What the pictures share: a small SVG frame, a linear scale, step lines and rows of marks. */
import { type Html, html } from '../html/html.ts';

export const WIDTH = 300;

/** One decimal is enough for a pixel. */
const coordinate = (value: number): string => String(Math.round(value * 10) / 10);

export type Scale = (value: number) => number;

/** Maps [from, to] to [low, high]; values outside are clamped, and an empty domain maps to its start. */
export function scale(from: number, to: number, low: number, high: number): Scale {
  const span = to - from;
  return (value) => (span <= 0 ? low : low + (Math.min(Math.max(value, from), to) - from) * ((high - low) / span));
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A path that holds each value until the next point; the way counts change. */
export function steps(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'H'}${coordinate(x)}${index === 0 ? ' ' : 'V'}${coordinate(y)}`)
    .join('');
}

/** Round marks as one path: the stroke's round caps draw them. */
export const dots = (points: readonly Point[]): string =>
  points.map(({ x, y }) => `M${coordinate(x)} ${coordinate(y)}h0`).join('');

/** Crosses as one path; distinguished from dots by shape, not by colour. */
export const crosses = (points: readonly Point[], arm = 3): string =>
  points
    .map(
      ({ x, y }) =>
        `M${coordinate(x - arm)} ${coordinate(y - arm)}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`,
    )
    .join('');

/** Bars that stand on `base`, each `height` high and `width` wide, as one path. */
export const bars = (list: readonly { x: number; height: number }[], base: number, width: number): string =>
  list
    .map(
      ({ x, height }) =>
        `M${coordinate(x)} ${coordinate(base)}v${coordinate(-height)}h${coordinate(width)}v${coordinate(height)}z`,
    )
    .join('');

export const lineAcross = (y: number): string => `M0 ${coordinate(y)}H${WIDTH}`;

/** A label; `end` and `middle` say which point of it stands at x. */
export function label(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end' = 'start'): Html {
  return html`<text x="${coordinate(x)}" y="${coordinate(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** The picture with its text for those who don't see it, and a caption on how to read it. */
export function figure(height: number, says: string, caption: string, content: readonly Html[]): Html {
  return html`<figure><svg class="picture" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${says}">${content}</svg>
<figcaption>${caption}</figcaption></figure>`;
}
