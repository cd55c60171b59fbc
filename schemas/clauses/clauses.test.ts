import { expect, test } from 'vitest';
import { limitText } from '../limit-kinds.ts';
import { limits } from '../limits.ts';
import { loadChecks } from '../load-checks.ts';
import { operations } from '../operations.ts';
import { clientNames } from './clients.ts';
import { clauseById, clauses } from './index.ts';

const SECTIONS = ['1', '2.1', '2.2', '2.3', '2.4', '2.5', '3', '4.1', '4.2', '4.3', '5', '6', '7', '8.1', '8.2', '9'];

test('ids are unique and well formed', () => {
  const ids = clauses.map((one) => one.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
});

test.each(SECTIONS)('section %s has a clause', (section) => {
  expect(clauses.filter((one) => one.section === section)).not.toEqual([]);
});

test('no clause names a section that does not exist', () => {
  expect(clauses.map((one) => one.section).filter((one) => !SECTIONS.includes(one))).toEqual([]);
});

test.each(operations.map((one) => one.id))('operation %s has documented clauses', (id) => {
  const own = clauses.filter((one) => one.operations?.includes(id));
  expect(own.some((one) => one.level === 'documented')).toBe(true);
  expect(clauseById(`${id}.route`)?.level).toBe('documented');
});

test.each(limits)('limit $id has a documented clause that states its numbers', (limit) => {
  const clause = clauseById(limit.id);
  expect(clause).toMatchObject({ level: 'documented', section: limit.section, operations: limit.operations });
  expect(clause?.text).toBe(limitText(limit));
  expect(clause?.text).toMatch(/\d/);
});

test('limits are worded by kind', () => {
  const texts = limits.map(limitText);
  expect(texts.some((one) => / requests in any \d+ seconds\.$/.test(one))).toBe(true);
  expect(texts.some((one) => / requests at once per client address\.$/.test(one))).toBe(true);
  expect(texts.some((one) => / requests at once per endpoint\.$/.test(one))).toBe(true);
  expect(
    texts.some((one) => /: a body of \d+(,\d{3})* bytes is taken, one of more than \d+(,\d{3})* is not\.$/.test(one)),
  ).toBe(true);
  expect(texts.some((one) => / stays available for \d+ minutes\.$/.test(one))).toBe(true);
  expect(texts.some((one) => / stays available for \d+ seconds\.$/.test(one))).toBe(true);
  expect(texts.some((one) => /^status, status-sync, stream together: /.test(one))).toBe(true);
});

test('every clause that a load check names exists, and is documented unless the check only records', () => {
  for (const { clauses: named, level } of loadChecks) {
    const expected = level === 'observed' ? 'observed' : 'documented';
    for (const id of named) expect(clauseById(id)?.level, id).toBe(expected);
  }
});

test('gaps are observed, conventions name who breaks, and nothing else does', () => {
  for (const { id, level, clients } of clauses) {
    if (id.startsWith('gap.')) expect(level, id).toBe('observed');
    expect(clients !== undefined, id).toBe(level === 'convention');
  }
});

test.each(clauses.filter((one) => one.level === 'convention'))(
  '$id says why it is no promise, and who breaks',
  (clause) => {
    expect(clause.because).toMatch(/^[a-z].{15,}[^.]$/);
    const breaks = Object.entries(clause.clients ?? {});
    expect(breaks.length).toBeGreaterThan(0);
    for (const [client, what] of breaks) {
      expect(clientNames).toContain(client);
      expect(what).toMatch(/^[a-z].{20,}[^.]$/);
    }
  },
);

test('no client is listed that nothing breaks in', () => {
  const broken = new Set(clauses.flatMap(({ clients = {} }) => Object.keys(clients)));
  expect(clientNames.filter((one) => !broken.has(one))).toEqual([]);
});

test('every clause but those on the account itself says which operations it is about', () => {
  const without = clauses.filter((one) => (one.operations ?? []).length === 0);
  expect(without.map((one) => one.section)).toEqual(without.map(() => '2.1'));
});

test('a clause that is not observable says what it needs', () => {
  for (const one of clauses) {
    if (one.observable !== true) expect(one.observable.needs.length, one.id).toBeGreaterThan(5);
  }
});

test('an unknown id has no clause', () => {
  expect(clauseById('no.such-clause')).toBeUndefined();
});
