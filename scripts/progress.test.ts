import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function screen(isTTY: boolean) {
  const stream = new PassThrough();
  Object.assign(stream, { isTTY, columns: 100, rows: 30 });
  const text: string[] = [];
  stream.on('data', (chunk: Buffer) => text.push(chunk.toString()));
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text.join('') };
}

test('without a terminal: one line when something begins, one when it ends, none between', () => {
  const { stream, text } = screen(false);
  let now = 0;
  const progress = createProgress(stream, { quiet: false, now: () => now });
  progress.begin({ id: 'a', title: 'rates', estimateMs: 30_000 });
  progress.begin({ id: 'b', title: 'contract', total: 3 });
  for (const done of [1, 2, 3]) progress.advance('b', done);
  now = 1200;
  progress.end('b', '3 checks');
  progress.note('k6: from the cache');
  progress.end('unknown');
  progress.close();
  expect(text()).toBe('rates ... (about 30 s)\ncontract ...\ncontract: 3 checks (1.2 s)\nk6: from the cache\n');
});

test('quiet says nothing at all', () => {
  const { stream, text } = screen(true);
  const progress = createProgress(stream, { quiet: true });
  progress.begin({ id: 'a', title: 'rates' });
  progress.note('hello');
  progress.end('a');
  progress.close();
  expect(text()).toBe('');
});

test('on a terminal what runs is redrawn, what ended and notes stay', () => {
  const { stream, text } = screen(true);
  let now = 0;
  const progress = createProgress(stream, { quiet: false, now: () => now });
  progress.begin({ id: 'a', title: 'rates' });
  progress.note('a note');
  now = 2000;
  progress.end('a', 'exact');
  progress.close();
  const lines = stripVTControlCharacters(text()).split('\n');
  expect(lines).toContain('a note');
  expect(lines.some((line) => line.includes('rates: exact (2 s)'))).toBe(true);
});
