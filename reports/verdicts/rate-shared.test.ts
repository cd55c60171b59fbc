/** Operations of one budget, when one of them was let in: only while the budget surely was exhausted is that a break. */
import { expect, test } from 'vitest';
import { analyseRate } from '../../scenarios/analysis/index.ts';
import { rateParameters, simulateRate, slidingLog, tokenBucket } from '../../scenarios/testing/rate-simulation.ts';
import type { RateFacts } from '../../schemas/facts.ts';
import { documentedTable } from '../../schemas/limits.ts';
import { judgingContext } from './context.ts';
import { judgeRate } from './rate.ts';

const WINDOW_MS = 10_000;
const limit = documentedTable.of('requests').find(({ id }) => id === 'status.rate');
const parameters = rateParameters(100, WINDOW_MS, {
  limitId: 'status.rate',
  operation: 'status',
  siblings: ['status-sync', 'stream'],
});
const facts = analyseRate(parameters, simulateRate(parameters, slidingLog(100, WINDOW_MS)), 0);

/** The verdict when two of the last sibling's requests were let in, the last of them at this moment. */
function shared(toMs: number, changes: Partial<RateFacts> = {}) {
  if (!limit) throw new Error('the table has this limit');
  const siblings = facts.siblings.map((one) =>
    one.operation === 'stream' ? { ...one, refused: one.sent - 2, toMs } : one,
  );
  const context = judgingContext([], [{ instId: 'inst-a', workersMax: 3, dedicated: true }], documentedTable);
  return judgeRate({ ...facts, siblings, ...changes }, limit, context)['status.rate.shared']?.verdict;
}

const asked = Math.max(...facts.siblings.map(({ toMs = Number.NaN }) => toMs));

test('it is told when they were asked', () => {
  expect(asked).toBeGreaterThan(facts.over.fromMs);
  expect(asked).toBeLessThan(parameters.recovery.fromMs);
});

test('asked at once, one that is let in is not counted with the others', () => {
  expect(shared(asked)).toBe('broken');
});

test('asked when the burst is leaving its window, it may have had what came back', () => {
  expect(shared(facts.burst.fromMs + WINDOW_MS + 1)).toBe('inconclusive');
});

test('when nobody who asked later was refused, it may have had what came back too', () => {
  const recovery = facts.recovery.map((one) => ({ ...one, admitted: one.admitted || one.atMs >= asked }));
  expect(shared(asked, { recovery })).toBe('inconclusive');
  expect(shared(asked, { recovery: [] })).toBe('inconclusive');
});

test('what a bucket gets back meanwhile is no budget of their own', () => {
  if (!limit) throw new Error('the table has this limit');
  const { value, windowMs } = limit;
  const large = rateParameters(value, windowMs, {
    limitId: 'status.rate',
    operation: 'status',
    siblings: ['status-sync', 'stream'],
  });
  const context = judgingContext([], [{ instId: 'inst-a', workersMax: 3, dedicated: true }], documentedTable);
  const refilled = analyseRate(large, simulateRate(large, tokenBucket(value, value, windowMs)), 0);
  const claim = judgeRate(refilled, limit, context)['status.rate.shared'];
  expect(refilled.siblings.some(({ sent, refused }) => refused < sent)).toBe(true);
  expect(claim).toMatchObject({ verdict: 'holds', observed: expect.stringContaining('the bucket got') });
  // One that is served all of it has a budget of its own.
  const own = refilled.siblings.map((one) => (one.operation === 'stream' ? { ...one, refused: 0 } : one));
  expect(judgeRate({ ...refilled, siblings: own }, limit, context)['status.rate.shared']?.verdict).not.toBe('holds');
});
