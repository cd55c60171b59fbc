/** docs/clients.md tells the versions that the tests really ran with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { field } from '../testing/harness.ts';
import { clients } from './testing/table.ts';

const root = join(import.meta.dirname, '..', '..');
const requirements = readFileSync(join(import.meta.dirname, 'python', 'requirements.txt'), 'utf8');

function installed(name: string): unknown {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  return field(manifest, 'version');
}

const pinned = (name: string): string | undefined =>
  requirements
    .split('\n')
    .find((line) => line.startsWith(`${name}==`))
    ?.slice(`${name}==`.length);

test('the table has every client', () => {
  expect(clients.map(({ name, python }) => `${python ? 'python ' : ''}${name}`)).toEqual([
    'openai',
    'ai',
    '@ai-sdk/openai-compatible',
    '@langchain/openai',
    'runpod-sdk',
    'python openai',
    'python runpod',
  ]);
});

test.for(clients)('$name: its version is the one in use', ({ name, python, version }) => {
  expect(version).toBe(python ? pinned(name) : installed(name));
});

test('every package of the Python environment is pinned', () => {
  const lines = requirements.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) expect(line).toMatch(/^[A-Za-z0-9_-]+==[0-9.]+(; python_version < "[0-9.]+")?$/);
});
