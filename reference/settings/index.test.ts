/** The table and the options struct are the same set of names, and no gap of the specification is left out. */
import { expect, test } from 'vitest';
import { clauseById, clauses } from '../../schemas/clauses/index.ts';
import { limits, limitsOf } from '../../schemas/limits.ts';
import { defaultOptions } from '../options.ts';
import { gapsWithoutSetting } from '../testing/gaps.ts';
import { plainNames, settingNamed, settings, valueAt } from './index.ts';

const names = settings.map(({ name }) => name);

/** `ttl` has parts with names of their own; a list is one value. */
function namesIn(options: object): string[] {
  return Object.entries(options).flatMap(([field, value]: [string, unknown]) => {
    if (field === 'rules' || field === 'limits' || field === 'windows') return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [field];
    return Object.keys(value).map((part) => `${field}.${part}`);
  });
}

test('every field of the options has a row, and no row lacks a field', () => {
  expect([...plainNames].sort()).toEqual(namesIn(defaultOptions({})).sort());
});

test('every limit has a row, and every rate one for its window', () => {
  const expected = [
    ...limits.map(({ id }) => `limits.${id}`),
    ...limitsOf('requests').map(({ id }) => `windows.${id}`),
    ...plainNames,
  ];
  expect([...names].sort()).toEqual(expected.sort());
  expect(new Set(names).size).toBe(names.length);
});

test('a path leads from the name to its value', () => {
  const options = { limits: { 'run.rate': 5 }, ttl: { max: 7 }, jitter: 0 };
  for (const [name, value] of Object.entries({ 'limits.run.rate': 5, 'ttl.max': 7, jitter: 0 })) {
    const setting = settingNamed(name);
    expect(setting && valueAt(options, setting)).toBe(value);
  }
  expect(valueAt(options, { path: ['limits', 'cancel.rate'] })).toBeUndefined();
  expect(valueAt({}, { path: ['limits', 'cancel.rate'] })).toBeUndefined();
  expect(settingNamed('rules')).toBeUndefined();
});

test.each(settings)('$name is described', ({ takes, meaning, defaultText, fills }) => {
  expect(takes.words).not.toBe('');
  expect(defaultText).toMatch(/\S/);
  expect(defaultText).not.toMatch(/undefined|object Object/);
  expect(meaning).toMatch(/^[A-Za-z].*\.$/);
  expect(fills.length).toBeGreaterThan(0);
});

test('what a setting fills is a clause, or a section of the specification', () => {
  const sections = new Set(clauses.map(({ section }) => section));
  for (const one of settings.flatMap(({ fills }) => fills)) {
    expect(clauseById(one) !== undefined || sections.has(one), one).toBe(true);
  }
});

test('every gap has a setting, or a reason why not', () => {
  const filled = new Set(settings.flatMap(({ fills }) => fills));
  const gaps = clauses.map(({ id }) => id).filter((id) => id.startsWith('gap.'));
  expect(gaps.length).toBeGreaterThan(8);
  for (const gap of gaps) expect(filled.has(gap) !== gap in gapsWithoutSetting, gap).toBe(true);
  for (const [gap, reason] of Object.entries(gapsWithoutSetting)) {
    expect(gaps).toContain(gap);
    expect(reason.length).toBeGreaterThan(20);
  }
});

test('keys are the only secrets', () => {
  expect(settings.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
    'accessKeys',
    'jobKeys',
    'brokeKeys',
    'otherKeys',
  ]);
});
