/** docs/hostile.md is true as far as a test can say: every row names one that is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const here = import.meta.dirname;
const text = readFileSync(join(here, '..', '..', 'docs', 'hostile.md'), 'utf8');
const rows = text.split('\n').filter((line) => /^\| (?!sent \|)/.test(line));
const named = rows.map((row) => /\| `([\w.-]+)`: (.+) \|$/.exec(row));

test.for(rows.map((row, at) => [row.slice(0, 60), named[at]] as const))('%s', ([, found]) => {
  const [, file = '', words = ''] = found ?? [];
  expect(readFileSync(join(here, file), 'utf8')).toContain(words);
});

test('every test file of hostile input is named', () => {
  const files = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name !== 'document.test.ts');
  for (const file of files) expect(text).toContain(`\`${file}\``);
});
