import { describe, expect, test } from 'vitest';
import type { QueueFacts } from '../../schemas/facts.ts';
import { limitsOf, queueBorder } from '../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import { measureQueue } from './measure.ts';
import { judgeQueue } from './queue.ts';
import { filledQueue, soundHealth } from './testing/facts.ts';

const limits = limitsOf('queue');
const [limit] = limits;
if (!limit) throw new Error('a queue limit exists');

const judged = (facts: QueueFacts) =>
  Object.fromEntries(Object.entries(judgeQueue(facts, limits)).map(([id, claim]) => [id, claim.verdict]));

describe.each([0, 1, 2, 5])('WorkersMax %i', (workersMax) => {
  const border = queueBorder(limit, workersMax);

  test.each([
    ['before insertion', border + 1],
    ['after insertion', border],
  ])('the rule read %s conforms and is measured as the border', (_, refusedAt) => {
    const facts = filledQueue(workersMax, border, refusedAt);
    expect(judged(facts)).toMatchObject({ 'run.queue.guarantee': 'holds', 'run.queue.enforced': 'holds' });
    expect(measureQueue(facts, 'run')).toEqual({ lower: border, upper: border });
  });

  test('a refusal one below the border breaks the guarantee', () => {
    expect(judged(filledQueue(workersMax, border, border - 1))['run.queue.guarantee']).toBe('broken');
  });

  test('an acceptance two beyond the border breaks the enforcement', () => {
    expect(judged(filledQueue(workersMax, border, border + 2))['run.queue.enforced']).toBe('broken');
  });

  test('no rule at all breaks the enforcement and has no upper bound', () => {
    const facts = filledQueue(workersMax, border, Number.POSITIVE_INFINITY);
    expect(judged(facts)).toMatchObject({ 'run.queue.guarantee': 'holds', 'run.queue.enforced': 'broken' });
    expect(measureQueue(facts, 'run')?.upper).toBeNull();
  });
});

test('`or` in place of `and` breaks the guarantee of both operations where WorkersMax is positive', () => {
  const facts = filledQueue(1, 500, limit.value + 1);
  expect(judged(facts)).toMatchObject({ 'run.queue.guarantee': 'broken', 'runsync.queue.guarantee': 'broken' });
});

test('a refusal that went away with time was the rate limit, not the queue', () => {
  const facts = filledQueue(1, 500, 501);
  const attempts = facts.attempts.map((one) =>
    one.operation === 'run' && one.queuedMin === 300
      ? { ...one, outcome: 'refused' as const, status: limit.status, persisted: false }
      : one,
  );
  expect(judged({ ...facts, attempts })['run.queue.guarantee']).toBe('holds');
});

test('another status than the documented one is not the documented refusal', () => {
  const facts = filledQueue(0, 50, 51);
  const attempts = facts.attempts.map((one) =>
    one.outcome === 'refused' ? { ...one, outcome: 'other' as const, status: 503 } : one,
  );
  expect(judged({ ...facts, attempts })['run.queue.enforced']).toBe('broken');
});

test('workers that are not known to be busy leave the queue unknown', () => {
  expect(judged(filledQueue(2, 1000, 1001, { workersHeld: 1 }))).toMatchObject({
    'run.queue.guarantee': 'inconclusive',
    'run.queue.enforced': 'inconclusive',
  });
});

test('but a refusal below the border is broken whoever works: the queue can only be shorter', () => {
  expect(judged(filledQueue(2, 1000, 51, { workersHeld: 0 }))['run.queue.guarantee']).toBe('broken');
});

describe('purge', () => {
  const purged = (changes: Partial<NonNullable<QueueFacts['purge']>>) => {
    const facts = filledQueue(1, 500, 501);
    return judged({ ...facts, ...(facts.purge ? { purge: { ...facts.purge, ...changes } } : {}) });
  };

  test('that clears all and keeps what runs conforms', () => {
    expect(purged({})).toMatchObject({ [PURGE_CLEARS]: 'holds', [PURGE_KEEPS_RUNNING]: 'holds' });
  });
  test('that leaves a queued job is broken', () => expect(purged({ cleared: 4 })[PURGE_CLEARS]).toBe('broken'));
  test('after which submissions are still refused is broken', () => {
    expect(purged({ nextStatus: 429 })[PURGE_CLEARS]).toBe('broken');
  });
  test('that ends a running job is broken', () => {
    expect(purged({ runningKept: 0 })[PURGE_KEEPS_RUNNING]).toBe('broken');
  });
  test('that was itself refused decides nothing', () => {
    expect(purged({ status: 429 })).toMatchObject({
      [PURGE_CLEARS]: 'inconclusive',
      [PURGE_KEEPS_RUNNING]: 'inconclusive',
    });
  });
  test('without workers says nothing of running jobs', () => {
    expect(judged(filledQueue(0, 50, 51))).not.toHaveProperty(PURGE_KEEPS_RUNNING);
  });
});

test('a probe that was cut off decides nothing but what it saw', () => {
  const facts = filledQueue(1, 500, 501, { health: soundHealth({ complete: false }) });
  expect(judged(facts)).toMatchObject({ 'run.queue.guarantee': 'inconclusive', 'run.queue.enforced': 'inconclusive' });
});
