import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

const one = { check: 'one', shared: '' };

test('without a limit everything is counted and nothing held back', () => {
  const allowance = new Allowance();
  allowance.take(100, one, false);
  allowance.take(0, { ...one, shared: 'thing' }, false);
  allowance.take(0, { ...one, shared: 'thing' }, true);
  expect(allowance.sent).toEqual({ requests: 3, bytes: 100 });
  expect(Object.fromEntries(allowance.byOwner)).toEqual({
    '': { requests: 1, bytes: 100, cleanUps: 0 },
    thing: { requests: 1, bytes: 0, cleanUps: 1 },
  });
});

test('the announced number is never exceeded, and the reserve is for cleaning up', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 5, bytes: 1000, reserve: 2 });
  for (const _ of [1, 2, 3]) allowance.take(10, one, false);
  expect(() => allowance.take(10, one, false)).toThrow('the planned 5 requests have been sent: one spent 3 of them');
  allowance.take(0, one, true);
  allowance.take(0, one, true);
  expect(allowance.sent).toEqual({ requests: 5, bytes: 30 });
});

test('nor are the announced bytes', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 50, bytes: 1000, reserve: 0 });
  allowance.take(999, one, false);
  expect(() => allowance.take(2, one, false)).toThrow('the planned 1000 bytes have been sent');
  allowance.take(1, one, false);
  expect(allowance.sent).toEqual({ requests: 2, bytes: 1000 });
});

const other = { check: 'other', shared: '' };
const parts = new Map([
  ['one', { most: 10, kept: 5 }],
  ['other', { most: 40, kept: 20 }],
]);

/** How many requests it is let send. */
function spend(allowance: Allowance, who: typeof one): { count: number; refusal: unknown } {
  for (let count = 0; ; count += 1) {
    try {
      allowance.take(0, who, false);
    } catch (refusal) {
      return { count, refusal };
    }
  }
}

test('no check takes more than its part and some of the rest, together with the shared results that it makes', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 60, bytes: 0, reserve: 10 }, parts);
  allowance.take(0, { ...one, shared: 'thing' }, false);
  const { count, refusal } = spend(allowance, one);
  expect(count).toBeGreaterThan(8);
  expect(count).toBeLessThan(10 + 50 / 4);
  expect(refusal).toMatchObject({
    message: `the requests planned for one have been sent (60 in all): one spent ${count + 1} of them`,
    remedy: expect.stringContaining('what those checks wait for'),
  });
  expect(spend(allowance, other).count).toBeGreaterThanOrEqual(20);
});

test('what was kept for a check is for the others when it has ended', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 60, bytes: 0, reserve: 10 }, parts);
  allowance.over('other');
  expect(spend(allowance, one).count).toBe(50);
});

test('where no check took too much, the remedy is to run fewer at a time', () => {
  const allowance = new Allowance();
  allowance.limit({ requests: 12, bytes: 0, reserve: 0 }, parts);
  for (const _ of [1, 2, 3, 4, 5, 6]) allowance.take(0, one, false);
  const { refusal } = spend(allowance, other);
  expect(refusal).toMatchObject({
    message: 'the planned 12 requests have been sent: one spent 6, other spent 6 of them',
    remedy: expect.stringContaining('fewer checks at a time'),
  });
});
