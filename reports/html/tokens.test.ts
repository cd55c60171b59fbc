import { expect, test } from 'vitest';
import { verdicts } from '../../schemas/verdicts.ts';
import { type ColourName, dark, declarations, light, type Palette } from './tokens.ts';

const AA = 4.5;

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** A badge lies on a tint of its own colour: 6 % of it over the card or paper. */
const tint = (colour: string, ground: string): string =>
  `#${[1, 3, 5]
    .map((at) => {
      const part = (text: string) => Number.parseInt(text.slice(at, at + 2), 16);
      return Math.round(part(colour) * 0.06 + part(ground) * 0.94)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;

const texts: readonly ColourName[] = ['ink', 'muted', 'link', ...verdicts];
const cases = (['light', 'dark'] as const).flatMap((scheme) => texts.map((name) => [scheme, name] as const));

test.each(cases)('%s: %s can be read on paper and card', (scheme, name) => {
  const palette: Palette = scheme === 'light' ? light : dark;
  for (const ground of [palette.paper, palette.card]) {
    expect(contrast(palette[name], ground)).toBeGreaterThanOrEqual(AA);
    expect(contrast(palette[name], tint(palette[name], ground))).toBeGreaterThanOrEqual(AA);
  }
});

test('a palette becomes custom properties', () => {
  expect(declarations(light)).toContain('--paper: #f7f5f0; ');
  expect(Object.keys(light)).toEqual(Object.keys(dark));
});
