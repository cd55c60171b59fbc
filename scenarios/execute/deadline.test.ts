import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { deadline } from './deadline.ts';

test('it comes by itself, with the name that timeouts have', async () => {
  const { signal } = deadline(new AbortController().signal, 5);
  await delay(30);
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('it comes with the other one, also where that was aborted before, and for its reason', () => {
  const other = new AbortController();
  const early = deadline(other.signal, 10_000);
  other.abort(new Error('stopped'));
  const late = deadline(other.signal, 10_000);
  for (const { signal, over } of [early, late]) {
    expect(signal.reason).toMatchObject({ message: 'stopped' });
    over();
  }
});

test('once it is over it never comes', async () => {
  const other = new AbortController();
  const { signal, over } = deadline(other.signal, 5);
  over();
  await delay(30);
  other.abort();
  expect(signal.aborted).toBe(false);
});

test('it comes though only a listener knows it and memory is tidied up during it', async () => {
  const source = fileURLToPath(new URL('./deadline.ts', import.meta.url));
  const script = `
    import { readFileSync } from 'node:fs';
    import { transformSync } from 'esbuild';
    const code = transformSync(readFileSync(${JSON.stringify(source)}, 'utf8'), { loader: 'ts' }).code;
    const { deadline } = await import('data:text/javascript,' + encodeURIComponent(code));
    const other = new AbortController();
    (() => deadline(other.signal, 100).signal.addEventListener('abort', () => console.log('came')))();
    for (let turn = 0; turn < 5; turn += 1) { globalThis.gc(); await new Promise((resolve) => setTimeout(resolve, 60)); }
  `;
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['--expose-gc', '--input-type=module', '--eval', script];
  expect((await promisify(execFile)(process.execPath, args, { cwd })).stdout).toBe('came\n');
});
