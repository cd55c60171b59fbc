import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '../../reference/clock.ts';
import { documentedTable, limitFor, limitsOf, tableOf } from '../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../schemas/operations.ts';
import { allowanceOf, Budget, Budgets } from './budget.ts';

const { signal } = new AbortController();

test.each(limitsOf('requests'))('the allowance for $id stays within it, over a longer window', (limit) => {
  const allowance = allowanceOf(limit.budget);
  expect(allowance.perWindow).toBeLessThanOrEqual(limit.value);
  expect(allowance.perWindow).toBeGreaterThan(0);
  expect(allowance.windowMs).toBeGreaterThan(limit.windowMs);
});

test.each(limitsOf('concurrent-requests'))('the allowance for $id stays within it', (limit) => {
  expect(allowanceOf(limit.budget).atOnce).toBeLessThanOrEqual(limit.value);
});

test('interface A has no rate, so requests are not paced', () => {
  expect(allowanceOf('inference')).toMatchObject({ perWindow: Number.POSITIVE_INFINITY, windowMs: 0 });
});

test('no window ever holds more than the allowance, whenever requests are answered', async () => {
  const arrivals = fc.array(fc.record({ pause: fc.nat(400), answer: fc.nat(700) }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 5 }), async (requests, perWindow) => {
      const clock = virtualClock();
      const windowMs = 1000;
      const budget = new Budget({ perWindow, windowMs, atOnce: 3 }, clock);
      const spans: { sent: number; done: number }[] = [];
      await Promise.all(
        requests.map(async ({ pause, answer }) => {
          await clock.sleep(pause);
          const permit = await budget.take(signal);
          const sent = clock.now();
          await clock.sleep(answer);
          spans.push({ sent, done: clock.now() });
          permit.done();
        }),
      );
      expect(spans.length).toBe(requests.length);
      // Counted at whatever moment between sending and answer suits the target worst: by a request's latest moment.
      for (const { sent } of spans) {
        const counted = spans.filter((one) => one.sent <= sent && one.done > sent - windowMs);
        expect(counted.length).toBeLessThanOrEqual(perWindow);
        expect(spans.filter((one) => one.sent <= sent && one.done > sent).length).toBeLessThanOrEqual(3);
      }
    }),
    { numRuns: 30 },
  );
}, 60_000);

test('room waits for a pause-free run of requests and takes none of it', async () => {
  const clock = virtualClock();
  const budget = new Budget({ perWindow: 3, windowMs: 1000, atOnce: 3 }, clock);
  const began = clock.now();
  for (let sent = 0; sent < 2; sent += 1) (await budget.take(signal)).done();
  await budget.room(2, signal);
  expect(clock.now() - began).toBeGreaterThanOrEqual(1000);
  const ready = clock.now();
  await budget.take(signal);
  await budget.take(signal);
  expect(clock.now()).toBe(ready);
});

test('room for more than the allowance is room for all of it', async () => {
  const clock = virtualClock();
  await new Budget({ perWindow: 2, windowMs: 1000, atOnce: 9 }, clock).room(50, signal);
});

test('a waiting request can be stopped, and the next in line is served', async () => {
  const clock = virtualClock();
  const budget = new Budget({ perWindow: 1, windowMs: 1000, atOnce: 1 }, clock);
  const held = await budget.take(signal);
  const stopper = new AbortController();
  const stopped = budget.take(stopper.signal);
  const next = budget.take(signal);
  stopper.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
  held.done();
  await expect(next).resolves.toBeDefined();
});

test('budgets are kept apart by operation', async () => {
  const clock = virtualClock();
  const budgets = new Budgets(clock, documentedTable);
  const began = clock.now();
  const tight: DocumentedBudgetId = 'purge-queue';
  const most = limitFor('requests', tight)?.value ?? 0;
  for (let sent = 0; sent < most; sent += 1) (await budgets.take(tight, signal)).done();
  (await budgets.take('cancel', signal)).done();
  expect(clock.now()).toBe(began);
  (await budgets.take(tight, signal)).done();
  expect(clock.now() - began).toBeGreaterThan(limitFor('requests', tight)?.windowMs ?? 0);
});

test('a lower promise is kept to, and a higher one not made use of', () => {
  const documented = limitFor('requests', 'cancel');
  const half = Math.floor((documented?.value ?? 0) / 2);
  const promising = (value: number) =>
    tableOf({ limits: documented ? [{ ...documented, value, section: 'configuration' }] : [] });
  expect(allowanceOf('cancel', promising(half)).perWindow).toBeLessThanOrEqual(half);
  expect(allowanceOf('cancel', promising(half)).perWindow).toBeGreaterThan(0);
  expect(allowanceOf('cancel', promising(half * 10))).toEqual(allowanceOf('cancel'));
});

test('what was spent counts until it has left the window, and what is not answered yet counts always', async () => {
  const clock = virtualClock();
  const { windowMs } = allowanceOf('run');
  const budgets = new Budgets(clock, documentedTable);
  expect(budgets.lately()).toEqual([]);
  const first = await budgets.take('run', signal);
  (await budgets.take('cancel', signal)).done();
  first.done();
  await budgets.take('status', signal);
  expect(budgets.lately()).toEqual([{ agoMs: 0, spends: { run: 1, cancel: 1, status: 1 } }]);
  await clock.sleep(windowMs / 2);
  (await budgets.take('run', signal)).done();
  // Told as later than it was by less than a second, never as earlier.
  const [now, before] = budgets.lately();
  expect(now).toEqual({ agoMs: 0, spends: { run: 1, status: 1 } });
  expect(before?.spends).toEqual({ run: 1, cancel: 1 });
  expect(before?.agoMs).toBeLessThanOrEqual(windowMs / 2);
  expect(before?.agoMs).toBeGreaterThan(windowMs / 2 - 1000);
  await clock.sleep(windowMs + 1);
  expect(budgets.lately()).toEqual([{ agoMs: 0, spends: { status: 1 } }]);
});
