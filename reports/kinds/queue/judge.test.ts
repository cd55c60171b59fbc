import { describe, expect, test } from 'vitest';
import type { QueueAttempt, QueueFacts } from '../../../schemas/facts.ts';
import { limitsOf, queueBorder } from '../../../schemas/limits.ts';
import { filledQueue, soundHealth } from '../../verdicts/testing/facts.ts';
import type { Comparison } from './evidence.ts';
import { judgeQueue } from './judge.ts';
import { measureQueue } from './measure.ts';

const limits = limitsOf('queue');
const [limit] = limits;
if (!limit) throw new Error('a queue limit exists');

const alone: Comparison = { concurrencyFloor: () => 200, concurrencyProven: () => 0, rateFloor: () => 1000 };

const claims = (facts: QueueFacts, beside = alone) => judgeQueue(facts, limits, beside);
const judged = (facts: QueueFacts, beside = alone) =>
  Object.fromEntries(Object.entries(claims(facts, beside)).map(([id, claim]) => [id, claim.verdict]));

describe.each([0, 1, 2, 5])('WorkersMax %i', (workersMax) => {
  const border = queueBorder(limit, workersMax);

  test.each([
    ['before insertion', border + 1],
    ['after insertion', border],
  ])('the rule read %s conforms and is measured as the border', (_, refusedAt) => {
    const facts = filledQueue(workersMax, border, refusedAt);
    for (const operation of ['run', 'runsync'] as const) {
      expect(judged(facts)).toMatchObject({
        [`${operation}.queue.guarantee`]: 'holds',
        [`${operation}.queue.enforced`]: 'holds',
        [`${operation}.queue.reopens`]: 'holds',
      });
      expect(measureQueue(facts, operation)).toEqual({ lower: border, upper: border });
    }
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

describe('another endpoint, where none is queued, while this one is full', () => {
  const requested = (elsewhere: Partial<NonNullable<QueueFacts['elsewhere']>>, beside = alone) => {
    const facts = filledQueue(1, 500, 501, { elsewhere: { instId: 'inst-b', requested: 3, refused: 3, ...elsewhere } });
    return claims(facts, beside)['run.queue.guarantee'];
  };

  test('that refuses until this one is purged is not counted by itself', () => {
    expect(requested({ laterStatus: 200 })).toMatchObject({
      verdict: 'broken',
      observed: expect.stringContaining(
        'inst-b, where none was queued, refused 3 of 3 while inst-a was full, and none once that was purged',
      ),
    });
  });

  test('that takes one, or goes on refusing, says nothing of the queue; nor where the rate limit may have refused', () => {
    expect(requested({ refused: 2 })?.verdict).toBe('holds');
    expect(requested({ laterStatus: 429 })?.verdict).toBe('holds');
    expect(requested({ laterStatus: 200 }, { ...alone, rateFloor: () => 2 })?.verdict).toBe('holds');
  });
});

/** The same with some attempts changed. */
const changed = (facts: QueueFacts, change: (one: QueueAttempt) => Partial<QueueAttempt>): QueueFacts => ({
  ...facts,
  attempts: facts.attempts.map((one) => ({ ...one, ...change(one) })),
});
const refusal = { outcome: 'refused', status: limit.status } as const;

test('a refusal that went away with time was the rate limit, not the queue', () => {
  const facts = changed(filledQueue(1, 500, 501), (one) =>
    one.operation === 'run' && one.queuedMin === 300 ? { ...refusal, persisted: false } : {},
  );
  expect(judged(facts)['run.queue.guarantee']).toBe('holds');
});

test('a refusal that was not tried again leaves the guarantee open', () => {
  const facts = changed(filledQueue(1, 500, 501), (one) => (one.queuedMin === 300 ? refusal : {}));
  expect(judged(facts)['run.queue.guarantee']).toBe('inconclusive');
});

test('a refusal below the border says nothing where jobs of others may be queued', () => {
  const facts = filledQueue(1, 500, 300, { lengthKnown: false });
  expect(judged(facts)).toMatchObject({
    'run.queue.guarantee': 'inconclusive',
    'runsync.queue.guarantee': 'inconclusive',
  });
});

test('a refusal that only an idle window was tried on ended with the purge, or it may be of a longer window', () => {
  const early = changed(filledQueue(1, 500, 300), () => ({ reopened: false }));
  expect(judged(early)['run.queue.guarantee']).toBe('broken');
  const { purge, ...without } = early;
  for (const facts of [without, ...(purge ? [{ ...early, purge: { ...purge, nextStatus: 429 } }] : [])]) {
    expect(claims(facts)['run.queue.guarantee']).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('longer window'),
    });
  }
});

describe('a refusal while others were open', () => {
  const early = changed(filledQueue(1, 500, 501), (one) =>
    one.operation === 'runsync' && one.queuedMin === 51 ? { ...refusal, persisted: true, open: 1 } : {},
  );

  test('may be that of requests at once, unless the run has measured that two are served', () => {
    expect(claims(early)['runsync.queue.guarantee']).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('1 other runsync'),
    });
    expect(judged(early, { ...alone, concurrencyProven: () => 1 })['runsync.queue.guarantee']).toBe('inconclusive');
    expect(judged(early, { ...alone, concurrencyProven: () => 2 })['runsync.queue.guarantee']).toBe('broken');
  });

  test('shows no enforcement either', () => {
    const facts = changed(filledQueue(0, 50, 51), (one) =>
      one.outcome === 'refused' ? { reopened: false, open: 3 } : {},
    );
    expect(judged(facts)['run.queue.enforced']).toBe('inconclusive');
    expect(judged(facts, { ...alone, concurrencyProven: () => 200 })['run.queue.enforced']).toBe('holds');
  });
});

test('another status than the documented one is not the documented refusal, but one of it may be a mishap', () => {
  const other = changed(filledQueue(0, 50, 51), (one) =>
    one.outcome === 'refused' ? { outcome: 'other', status: 503 } : {},
  );
  expect(judged(other)['run.queue.enforced']).toBe('broken');
  const first = other.attempts.findIndex((one) => one.outcome === 'other');
  const once = { ...other, attempts: other.attempts.slice(0, first + 1) };
  expect(judged(once)['run.queue.enforced']).toBe('inconclusive');
});

test('no answer at all beyond the border is neither an acceptance nor a refusal', () => {
  for (const outcome of ['other', 'unanswered-yet'] as const) {
    const facts = changed(filledQueue(0, 50, 51), (one) =>
      one.outcome === 'refused' ? { outcome, status: 0, persisted: null, reopened: false } : {},
    );
    expect(judged(facts)['run.queue.enforced']).toBe('inconclusive');
  }
});

test('a silent runsync beyond the border was accepted where its job was seen in the queue', () => {
  const facts = changed(filledQueue(0, 50, 51), (one) =>
    one.operation === 'runsync' && one.queuedMin === 51
      ? { outcome: 'unanswered-yet', status: 0, seenQueued: true }
      : {},
  );
  expect(judged(facts)['runsync.queue.enforced']).toBe('broken');
});

test('a runsync that was never sent near the border leaves its guarantee open', () => {
  const facts = filledQueue(1, 500, 501);
  const attempts = facts.attempts.filter(
    (one) => one.operation === 'run' || one.queuedMin < 100 || one.outcome === 'refused',
  );
  expect(judged({ ...facts, attempts })).toMatchObject({
    'runsync.queue.guarantee': 'inconclusive',
    'runsync.queue.enforced': 'holds',
  });
  expect(measureQueue({ ...facts, attempts }, 'runsync')).toEqual({ lower: 51, upper: 501 });
});

test('workers that are not known to be busy leave the queue unknown', () => {
  expect(judged(filledQueue(2, 1000, 1001, { workersHeld: 1 }))).toMatchObject({
    'run.queue.guarantee': 'inconclusive',
    'run.queue.enforced': 'inconclusive',
  });
});

test('accepted jobs that left the queue by themselves do the same', () => {
  const facts = filledQueue(0, 50, 51, { waiting: { sampled: 3, left: 1 } });
  expect(claims(facts)['run.queue.enforced']?.reason).toContain('1 of 3');
  expect(judged(facts)['run.queue.guarantee']).toBe('inconclusive');
});

test('but a refusal below the border is broken however quick the workers are: the queue can only be shorter', () => {
  expect(judged(filledQueue(2, 1000, 51, { workersHeld: 0 }))['run.queue.guarantee']).toBe('broken');
});

test('a probe that was cut off decides nothing but what it saw', () => {
  const facts = filledQueue(1, 500, 501, { health: soundHealth({ complete: false }) });
  expect(judged(facts)).toMatchObject({ 'run.queue.guarantee': 'inconclusive', 'run.queue.enforced': 'inconclusive' });
});
