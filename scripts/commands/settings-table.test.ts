import { expect, test } from 'vitest';
import { settings } from '../../reference/settings/index.ts';
import { settingsTable } from './settings-table.ts';

const table = settingsTable({ isTTY: false });

test('every setting is there with its default and what it takes', () => {
  const words = table.replace(/\s+/g, ' ');
  for (const { name, defaultText, takes, meaning } of settings) {
    expect(words).toContain(` ${name} = ${defaultText}`.replace(/\s+/g, ' '));
    expect(words).toContain(meaning);
    expect(words).toContain(`takes ${takes.words}`);
  }
});

test('shorthands are shown, groups are headings', () => {
  expect(table).toContain('Also --latency MS.');
  for (const { group } of settings) expect(table).toMatch(new RegExp(`^${group}$`, 'm'));
});

test('descriptions fit a terminal, and without one there are no colours', () => {
  for (const line of table.split('\n').filter((one) => one.startsWith(' ')))
    expect(line.length).toBeLessThanOrEqual(100);
  expect(table.includes(String.fromCharCode(27))).toBe(false);
});
