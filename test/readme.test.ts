/** The README and the pages behind it are true: their commands, flags and variables exist, and what they link to is there. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandNames, environmentName, type OptionSpec, options, secrets } from '../scripts/cli/options.ts';
import { packageRoot } from '../scripts/package.ts';

const root = packageRoot();
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pages = [
  'README.md',
  ...['options', 'report', 'limits', 'contributing', 'architecture'].map((name) => `docs/${name}.md`),
];
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const text = pages.map(read).join('\n');
const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const table: readonly OptionSpec[] = options;

test('every proofload command it shows exists, and every command is shown', () => {
  const shown = [...readme.matchAll(/\bproofload ([a-z]+)(?=[ `\n])/g)].map(([, name]) => name);
  const used = shown.filter((name) => name !== undefined && /^(npx )?/.test(name));
  for (const name of commandNames) expect(used).toContain(name);
  const inCode = [...readme.matchAll(/^(?:\$ )?npx proofload ([a-z]+)/gm)].map(([, name]) => name);
  for (const name of inCode) expect(commandNames).toContain(name);
});

test('every npm script it names exists', () => {
  for (const [, name] of text.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(manifest.scripts)).toContain(name);
  for (const name of ['start', 'test']) expect(Object.keys(manifest.scripts)).toContain(name);
});

test('the two commands stand on the first screen', () => {
  const firstScreen = readme.split('\n').slice(0, 40).join('\n');
  expect(firstScreen).toContain('npm ci && npm start');
  expect(firstScreen).toContain('npm ci && npm test');
});

test('CI runs the test command of the README and nothing else', () => {
  const lines = readFileSync(join(root, '.ci', 'run'), 'utf8').split('\n');
  const commands = lines.filter((line) => line !== '' && !/^(#|set |cd )/.test(line));
  expect(commands).toEqual(['npm ci && npm test']);
});

test('every flag it names is known, and every option is documented', () => {
  const known = new Set(['help', 'version', ...table.flatMap(({ name }) => [name, `no-${name}`])]);
  const foreign = new Set(['access-key']);
  for (const [, name] of text.matchAll(/--([a-z][a-z-]*)/g)) {
    if (name !== undefined && !foreign.has(name)) expect(known).toContain(name);
  }
  for (const { name } of table) expect(text).toMatch(new RegExp(`--(no-)?${name}\\b`));
});

test('every variable it names is read', () => {
  const known = new Set([
    'PROOFLOAD_DEBUG',
    ...[...table, ...secrets.map((name) => ({ name }))].map(({ name }) => environmentName(name)),
  ]);
  for (const [name] of text.matchAll(/PROOFLOAD_[A-Z_]+/g)) expect(known).toContain(name);
  for (const name of secrets) expect(text).toContain(environmentName(name));
});

test.each(pages)('every file that %s links to is there', (page) => {
  for (const [, path] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
    expect(existsSync(join(root, dirname(page), String(path))), path).toBe(true);
});

test('it is short', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150);
});
