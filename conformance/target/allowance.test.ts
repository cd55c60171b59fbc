import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('without a limit everything is counted and nothing held back', () => {
  const allowance = new Allowance();
  allowance.take(100, '', false);
  allowance.take(0, 'shared', false);
  allowance.take(0, 'shared', true);
  expect(allowance.sent).toEqual({ requests: 3, bytes: 100 });
  expect(Object.fromEntries(allowance.byOwner)).toEqual({
    '': { requests: 1, bytes: 100, cleanUps: 0 },
    shared: { requests: 1, bytes: 0, cleanUps: 1 },
  });
});

test('the announced number is never exceeded, and the reserve is for cleaning up', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 5, bytes: 1000, reserve: 2 });
  for (const _ of [1, 2, 3]) allowance.take(10, '', false);
  expect(() => allowance.take(10, '', false)).toThrow('the announced 5 requests are used up');
  allowance.take(0, '', true);
  allowance.take(0, '', true);
  expect(allowance.sent).toEqual({ requests: 5, bytes: 30 });
});

test('nor are the announced bytes', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 50, bytes: 1000, reserve: 0 });
  allowance.take(999, '', false);
  expect(() => allowance.take(2, '', false)).toThrow('the announced 1000 bytes are used up');
  allowance.take(1, '', false);
  expect(allowance.sent).toEqual({ requests: 2, bytes: 1000 });
});
