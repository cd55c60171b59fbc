import { expect, test } from 'vitest';
import { createTasks } from './progress.ts';

test('a task shows how far it is, how long it runs and what is left by its estimate', () => {
  const tasks = createTasks();
  tasks.begin({ id: 'a', title: 'rates', estimateMs: 30_000 }, 0);
  expect(tasks.lines(12_000)).toEqual(['rates  12 s, about 18 s left']);
  expect(tasks.lines(31_000)).toEqual(['rates  31 s']);
});

test('without an estimate the steps show what is left, once there are some', () => {
  const tasks = createTasks();
  tasks.begin({ id: 'a', title: 'contract', total: 100 }, 0);
  expect(tasks.lines(1000)).toEqual(['contract 0/100  1 s']);
  tasks.advance('a', 50);
  expect(tasks.lines(2000)).toEqual(['contract 50/100  2 s, about 2 s left']);
  tasks.advance('a', 120);
  expect(tasks.lines(3000)).toEqual(['contract 100/100  3 s']);
});

test('several tasks run side by side and end with a note of their own', () => {
  const tasks = createTasks();
  tasks.begin({ id: 'a', title: 'rates' }, 0);
  tasks.begin({ id: 'b', title: 'queue' }, 500);
  expect(tasks.lines(1000)).toEqual(['rates  1 s', 'queue  500 ms']);
  expect(tasks.end('a', 1500, '3 refused')).toBe('rates: 3 refused (1.5 s)');
  expect(tasks.end('b', 1500)).toBe('queue: done (1 s)');
  expect(tasks.lines(2000)).toEqual([]);
});

test('an end without a beginning says nothing', () => {
  const tasks = createTasks();
  tasks.advance('ghost', 3);
  expect(tasks.end('ghost', 10)).toBeUndefined();
});
