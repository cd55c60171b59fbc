/** Markup and style sheet know each other: no class without a rule that means something, and no dead rule. */
import { expect, test } from 'vitest';
import { clauses } from '../../schemas/clauses/index.ts';
import { verdicts } from '../../schemas/verdicts.ts';
import { laterNight } from '../history/testing/fixtures.ts';
import { sampleResults } from '../testing/fixtures.ts';
import { renderPage } from './page.ts';
import { style } from './style.ts';

const kinds = ['passing', 'failing', 'inconclusive', 'interrupted', 'hostile'] as const;
const pages = [...kinds.map((kind) => sampleResults(kind)), laterNight()].map((results) =>
  renderPage(results, clauses),
);

/** Hooks for people and tests, without a look of their own. */
const bare = new Set(['picture']);

const used = new Set(
  pages.flatMap((page) => [...page.matchAll(/ class="([^"]*)"/g)].flatMap((match) => (match[1] ?? '').split(/\s+/))),
);

const selectors = style.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\{[^{}]*\}/g, '{}');
const styled = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map((match) => match[1] ?? ''));

test('every class on the pages has a rule', () => {
  expect([...used].filter((name) => name !== '' && !styled.has(name) && !bare.has(name))).toEqual([]);
});

test('every rule is for something on the pages', () => {
  const verdictClasses = new Set<string>(verdicts.map((verdict) => `v-${verdict}`));
  expect([...styled].filter((name) => !used.has(name) && !verdictClasses.has(name))).toEqual([]);
});

test('the sheet is balanced and can be in a page', () => {
  expect(style.split('{')).toHaveLength(style.split('}').length);
  expect(style).not.toMatch(/<\/|<!--|@import|url\(|!important/);
});

test('every custom property that is used is declared', () => {
  const declared = new Set([...style.matchAll(/(--[a-z-]+):/g)].map((match) => match[1]));
  const wanted = [...style.matchAll(/var\((--[a-z-]+)/g)].map((match) => match[1]);
  expect(wanted.filter((name) => !declared.has(name))).toEqual([]);
});
