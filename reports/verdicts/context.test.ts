import { expect, test } from 'vitest';
import { limitsOf } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { exactConcurrency, filledQueue } from './testing/facts.ts';

const endpoints = [
  { instId: 'inst-a', workersMax: 3, dedicated: true },
  { instId: 'inst-b', workersMax: 0, dedicated: false },
];

test('without measurements the documented numbers stand', () => {
  const context = judgingContext([], endpoints);
  expect(context.rateFloor('cancel')).toBe(100);
  expect(context.concurrencyFloor('cancel')).toBe(20);
  expect([context.queueFloor('inst-a'), context.queueFloor('inst-b')]).toEqual([1500, 50]);
});

test('an endpoint that keeps the rule says nothing about the queue of another with a larger border', () => {
  const small = filledQueue(0, 50, 51, { instId: 'inst-b' });
  expect(judgingContext([small], endpoints).queueFloor('inst-a')).toBe(1500);
});

test('a rule broken on one endpoint is reckoned with on every other', () => {
  const broken = filledQueue(1, 500, 51, { instId: 'inst-c' });
  expect(judgingContext([broken], endpoints).queueFloor('inst-a')).toBe(51);
});

test('a lower concurrency limit that was measured replaces the documented one', () => {
  const lower = exactConcurrency('cancel.concurrency', 20, { overlapInner: 15, fewestAtRefusal: 15 });
  expect(judgingContext([lower], endpoints).concurrencyFloor('cancel')).toBe(15);
});

test('what long-polls measured gives way to held bodies, since waiting jobs may be refused by the queue', () => {
  const held = exactConcurrency('runsync.concurrency', 400);
  const polled = { ...held, technique: 'long-poll' as const, overlapInner: 51, fewestAtRefusal: 51 };
  expect(judgingContext([polled, held], endpoints).concurrencyFloor('runsync')).toBe(400);
  expect(judgingContext([polled], endpoints).concurrencyFloor('runsync')).toBe(51);
});

test('only an endpoint that is known to be shared is shared', () => {
  const context = judgingContext([], endpoints);
  expect(['inst-a', 'inst-b', 'elsewhere'].map((id) => context.shared(id))).toEqual([false, true, false]);
});

test('counting held requests is known per interface', () => {
  const context = judgingContext([exactConcurrency('cancel.concurrency', 20)], endpoints);
  const counts = limitsOf('concurrent-requests').filter((limit) => context.countsHeldRequests(limit));
  expect(counts.map((limit) => limit.id)).not.toContain('inference.concurrency');
  expect(counts.map((limit) => limit.id)).toContain('run.concurrency');
});
