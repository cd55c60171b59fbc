/** The walk through the documentation leaves out no section and no clause, and names none that is not there. */
import { expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { operations } from '../operations.ts';
import { clauseById, clauses } from './index.ts';
import { sections, walk } from './testing/walk.ts';

/** All sections of the documentation, the introduction first. */
const ALL = '0 1 2.1 2.2 2.3 2.4 2.5 3 4.1 4.2 4.3 5 6 7 8.1 8.2 9'.split(' ');

test('it goes through all sections in their order', () => {
  expect(sections).toEqual(ALL);
  expect([...new Set(walk.map((one) => one.section))]).toEqual(ALL);
});

test.each(clauses)('$id stands in one row, of its own section', ({ id, section }) => {
  expect(walk.filter((one) => one.clauses.includes(id)).map((one) => one.section)).toEqual([section]);
});

test.each(walk)('$section $paragraph rests on clauses that exist, each named once', ({ clauses: own, also }) => {
  const named = [...own, ...also];
  expect(named.length).toBeGreaterThan(0);
  expect(new Set(named).size).toBe(named.length);
  for (const id of named) expect(clauseById(id), id).toBeDefined();
});

test('no section has two rows of one name, and no row copies a clause', () => {
  const labels = walk.map((one) => `${one.section} ${one.paragraph}`);
  expect(new Set(labels).size).toBe(labels.length);
  for (const { paragraph } of walk) expect(paragraph.length, paragraph).toBeLessThan(60);
});

test('every operation and every limit is met in the section that the tables name', () => {
  const met = new Set(walk.flatMap((one) => one.clauses.map((id) => `${one.section} ${id}`)));
  for (const { id, section } of operations) expect(met, id).toContain(`${section} ${id}.route`);
  for (const { id, section } of limits) expect(met, id).toContain(`${section} ${id}`);
});
