/** docs/reference.md is true: its table is the one of the settings, its commands and its file are taken as they stand. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../reference/settings/index.ts';
import { parseArguments } from '../scripts/cli/arguments.ts';
import { documentOf } from '../scripts/cli/config-file.ts';
import { readReferenceOptions, referenceSettings } from '../scripts/cli/reference-settings.ts';
import { packageRoot } from '../scripts/package.ts';
import { settingsMarkdown, withSettings } from './support/settings-markdown.ts';

const path = join(packageRoot(), 'docs', 'reference.md');
const text = readFileSync(path, 'utf8');

/** The fenced blocks of a language. */
const blocks = (language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, body = '']) =>
    name === language ? [body] : [],
  );

test('its table is the one in reference/settings', async () => {
  // What `npm run docs` does is to let this assertion write the file.
  await expect(
    withSettings(text),
    'docs/reference.md is behind its settings; write it again: npm run docs',
  ).toMatchFileSnapshot(path);
});

test('the table has a row for every setting, with as many cells as it has columns', () => {
  const rows = settingsMarkdown()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBe(settings.length);
  for (const row of rows) expect(row.split(/(?<!\\)\|/).length).toBe(7);
});

test('a document without a place for the table is refused', () => {
  expect(() => withSettings('# nothing here\n')).toThrow('are gone');
});

const commands = blocks('sh')
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('npx proofload'));

test.each(commands)('%s', async (line) => {
  const words = line.split(' ').slice(2);
  const invocation = await parseArguments(words);
  if (invocation.kind !== 'run') throw new Error('it only prints');
  expect(invocation).toMatchObject({ command: 'serve', positionals: [] });
  const flags = new Map([...invocation.flags].filter(([name]) => name !== 'config'));
  expect(readReferenceOptions(flags, {})).toBeDefined();
});

test('there are examples', () => expect(commands.length).toBeGreaterThanOrEqual(6));

test('its file is taken, with both keys from the environment', () => {
  const [yaml = ''] = blocks('yaml');
  const given = referenceSettings(documentOf(yaml, 'reference.yaml'), { ALICE_KEY: 'sk-a', BOB_KEY: 'sk-b' });
  expect(given.get('accessKeys')?.raw).toEqual(['sk-a', 'sk-b']);
  expect(given.get('limits.runsync.queue')?.raw).toBe('off');
  expect(given.size).toBe(8);
});

test('what it writes as a setting is one', () => {
  const names = settings.map(({ name }) => name);
  for (const [, name] of text.matchAll(/--set ([^=\s]+)=/g)) if (name !== 'NAME') expect(names).toContain(name);
  for (const [, name] of text.matchAll(/`([a-zA-Z.]+)=[^`\s]+`/g)) if (name !== 'NAME') expect(names).toContain(name);
});

test('every place it links to is there', () => {
  for (const [, link = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
    if (link.startsWith('#')) expect(text).toMatch(new RegExp(`^## ${link.slice(1)}$`, 'im'));
    else expect(existsSync(join(packageRoot(), 'docs', link))).toBe(true);
  }
});
