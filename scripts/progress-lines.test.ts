import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTasks, duration } from './progress-lines.ts';

test.each([
  [0, '0.0 s'],
  [1234, '1.2 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_499, '59 s'],
  [59_700, '1 min 00 s'],
  [125_000, '2 min 05 s'],
  [-5, '0.0 s'],
])('%d ms reads %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});

test('every duration is short and has a unit', () => {
  fc.assert(fc.property(fc.nat({ max: 10 * 3_600_000 }), (ms) => /^[\d. min]+ s$/.test(duration(ms))));
});

test('a task shows how far it is, how long it runs and what is left by its estimate', () => {
  const tasks = createTasks();
  tasks.begin({ id: 'a', title: 'rates', estimateMs: 30_000 }, 0);
  expect(tasks.lines(12_000)).toEqual(['rates  12 s, about 18 s left']);
  expect(tasks.lines(31_000)).toEqual(['rates  31 s']);
});

test('without an estimate the steps tell what is left, once there are some', () => {
  const tasks = createTasks();
  tasks.begin({ id: 'a', title: 'contract', total: 100 }, 0);
  expect(tasks.lines(1000)).toEqual(['contract 0/100  1.0 s']);
  tasks.advance('a', 50);
  expect(tasks.lines(2000)).toEqual(['contract 50/100  2.0 s, about 2.0 s left']);
  tasks.advance('a', 120);
  expect(tasks.lines(3000)).toEqual(['contract 100/100  3.0 s']);
});

test('several tasks run side by side and end with a word of their own', () => {
  const tasks = createTasks();
  tasks.begin({ id: 'a', title: 'rates' }, 0);
  tasks.begin({ id: 'b', title: 'queue' }, 500);
  expect(tasks.lines(1000)).toEqual(['rates  1.0 s', 'queue  0.5 s']);
  expect(tasks.end('a', 1500, '3 refused')).toBe('rates: 3 refused (1.5 s)');
  expect(tasks.end('b', 1500)).toBe('queue: done (1.0 s)');
  expect(tasks.lines(2000)).toEqual([]);
});

test('an end without a beginning says nothing', () => {
  const tasks = createTasks();
  tasks.advance('ghost', 3);
  expect(tasks.end('ghost', 10)).toBeUndefined();
});
