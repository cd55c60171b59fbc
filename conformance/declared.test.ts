import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clauseById, clauses } from '../schemas/clauses/index.ts';
import { loadChecks } from '../schemas/load-checks.ts';
import { operations } from '../schemas/operations.ts';
import { type CheckDefinition, levelOf } from './check.ts';
import { allChecks } from './checks/index.ts';
import { declaredChecks } from './index.ts';

/** Far fewer would mean that whole files of them were lost. */
const FEWEST = 500;

test('there are many checks, each with an id of its own that no load check has', () => {
  const ids = [...allChecks.map((one) => one.id), ...loadChecks.map((one) => one.id)];
  expect(new Set(ids).size).toBe(ids.length);
  expect(allChecks.length).toBeGreaterThanOrEqual(FEWEST);
});

test('ids are OPERATION.aspect in lower case', () => {
  const subjects = new Set<string>(operations.map((one) => one.id));
  for (const { id } of allChecks) {
    expect(id).toMatch(/^[a-z-]+(\.[a-z0-9-]+)+$/);
    expect(subjects.has(id.split('.')[0] ?? ''), id).toBe(true);
  }
});

test('every check that a remedy refers to exists', () => {
  const folder = new URL('.', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  const texts = sources.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const seen = texts.flatMap((text) => [...text.matchAll(/['"`(]see ([a-z-]+(?:\.[a-z0-9-]+)+)/g)].map(([, id]) => id));
  const ids = new Set([...allChecks, ...loadChecks].map(({ id }) => id));
  expect(seen.length).toBeGreaterThan(10);
  for (const id of seen) expect(ids.has(id ?? ''), id).toBe(true);
});

test('every clause a check names exists', () => {
  for (const { id, clauses: named } of allChecks) {
    expect(named.length, id).toBeGreaterThan(0);
    for (const clause of named) expect(clauseById(clause), `${clause} of ${id}`).toBeDefined();
  }
});

test('a level that differs from the clauses says why, and never outweighs them', () => {
  const weight = ['observed', 'convention', 'documented'];
  for (const { id, level, because, clauses: named } of allChecks) {
    const own = levelOf(named);
    expect(weight.indexOf(level), id).toBeLessThanOrEqual(weight.indexOf(own));
    if (level !== own) expect(because?.length ?? 0, id).toBeGreaterThan(10);
  }
});

test('every observable clause has a check', () => {
  const requested = new Set([...allChecks, ...loadChecks].flatMap((one) => one.clauses));
  const unrequested = clauses.filter((one) => one.observable === true && !requested.has(one.id));
  expect(unrequested.map((one) => one.id)).toEqual([]);
});

test.each(operations.map((one) => one.id))('%s has a documented check of its route', (id) => {
  const own = allChecks.filter((one) => one.clauses.includes(`${id}.route`) && one.level === 'documented');
  expect(own.length).toBeGreaterThan(0);
});

test.each(operations.map((one) => one.id))('%s has a check where the documentation is silent', (id) => {
  const own = allChecks.filter((one) => one.id.startsWith(`${id}.`) && one.level === 'observed');
  expect(own.flatMap((one) => one.clauses).filter((clause) => clause.startsWith('gap.'))).not.toEqual([]);
});

test('a check that is judged rests on something that is judged', () => {
  for (const { id, level, clauses: named } of allChecks) {
    const levels = named.map((clause) => clauseById(clause)?.level);
    if (level !== 'observed')
      expect(
        levels.some((one) => one !== 'observed'),
        id,
      ).toBe(true);
  }
});

test('titles are sentences without a full stop', () => {
  for (const { id, title } of allChecks) expect(title, id).toMatch(/^\S.{8,110}[^.]$/);
});

const files = readdirSync(new URL('./checks/', import.meta.url)).filter((name) => name.endsWith('.check.ts'));

test.each(files)('the checks of %s are declared', async (file) => {
  const { checks } = (await import(/* @vite-ignore */ `./checks/${file}`)) as { checks: readonly CheckDefinition[] };
  expect(checks.length).toBeGreaterThan(0);
  for (const { id } of checks) expect(allChecks.map((one) => one.id)).toContain(id);
});

test('declarations carry what results.json needs and nothing else', () => {
  for (const one of declaredChecks()) expect(Object.keys(one)).toEqual(['id', 'title', 'clauses', 'level']);
});
