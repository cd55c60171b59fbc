/** Colours of the page, light and dark. Text on paper or card keeps a contrast of at least 4.5 to 1 (WCAG 2.2 AA). */
import type { Verdict } from '../../schemas/verdicts.ts';

export type ColourName = Verdict | 'paper' | 'card' | 'ink' | 'muted' | 'rule' | 'link';
export type Palette = Readonly<Record<ColourName, string>>;

export const light: Palette = {
  paper: '#f7f5f0',
  card: '#fffefb',
  ink: '#1d2126',
  muted: '#5b616a',
  rule: '#dcd8ce',
  link: '#1f4f82',
  pass: '#17633a',
  fail: '#a3211b',
  warn: '#7a4c05',
  observed: '#2b5680',
  inconclusive: '#5b3f92',
  'not-observable': '#565d66',
  skipped: '#565d66',
  error: '#8c1c57',
  known: '#11606a',
};

export const dark: Palette = {
  paper: '#15181b',
  card: '#1c2024',
  ink: '#e9e6df',
  muted: '#a6adb5',
  rule: '#373d44',
  link: '#93c1f2',
  pass: '#74cf9a',
  fail: '#ff958b',
  warn: '#e6b565',
  observed: '#93c0ec',
  inconclusive: '#c3acf3',
  'not-observable': '#adb4bc',
  skipped: '#adb4bc',
  error: '#f3a0c7',
  known: '#74cfd8',
};

/** A palette as custom properties. */
export const declarations = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');
