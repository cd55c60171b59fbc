import { describe, expect, test } from 'vitest';
import type { QueueAttempt, QueueFacts, QueueReopening } from '../../../schemas/facts.ts';
import { filledQueue, soundHealth } from '../../verdicts/testing/facts.ts';
import type { Comparison } from './evidence.ts';
import { lengthsTried, ranges } from './judge.ts';
import { reopens } from './reopens.ts';

const alone: Comparison = { concurrencyFloor: () => 200, concurrencyProven: () => 0, rateFloor: () => 1000 };

/** The first reopening of `run`, changed. */
function facts(
  changes: Partial<QueueReopening> = {},
  attempt: Partial<QueueAttempt> = {},
  others: Partial<QueueFacts> = {},
): QueueFacts {
  const sound = filledQueue(0, 50, 51);
  const reopenings = sound.reopenings.map((one) => ({ ...one, ...changes, attempt: { ...one.attempt, ...attempt } }));
  return { ...sound, reopenings, ...others };
}
const STILL = { outcome: 'refused', status: 429, persisted: true } as const;
const judged = (one: QueueFacts) => reopens(one, 'run', alone);

describe('a refusal that ended with the queue', () => {
  test('was taken with room and refused again: it holds', () => {
    expect(judged(facts())).toMatchObject({
      verdict: 'holds',
      observed:
        'inst-a, WorkersMax 0: refused with 51 queued; 2 cancelled; accepted with 49, and refused again as soon as it was as long',
    });
  });

  test('but not again at the same length: nothing is shown', () => {
    expect(judged(facts({ refusedAgain: false })).verdict).toBe('inconclusive');
    expect(judged(facts({ refusedAgain: null })).verdict).toBe('inconclusive');
  });
});

describe('a refusal that stayed', () => {
  test('also after an idle window, with a queue that health calls shorter: broken', () => {
    expect(judged(facts({}, STILL)).verdict).toBe('broken');
  });

  test.each<readonly [string, QueueFacts]>([
    ['went away with an idle window', facts({}, { ...STILL, persisted: false })],
    ['was not tried again', facts({}, { ...STILL, persisted: null })],
    ['is at a queue that health does not count', facts({ countAfter: null }, STILL)],
    ['is at a queue that health still counts as long', facts({ countAfter: 51 }, STILL)],
    ['is at a queue that may be longer', facts({}, { ...STILL, queuedMax: 51 })],
    ['is at a queue that may hold jobs of others', facts({}, STILL, { lengthKnown: false })],
    [
      'is at a length at which it was not accepted before',
      facts({}, STILL, { attempts: facts().attempts.filter(({ queuedMin }) => queuedMin < 49) }),
    ],
    ['came while others were open', facts({}, { ...STILL, open: 1 })],
    ['is no refusal but a breakdown', facts({}, { outcome: 'other', status: 503 })],
    ['belongs to a probe that was cut off', facts({}, STILL, { health: soundHealth({ complete: false }) })],
  ])('and %s decides nothing', (_, one) => expect(judged(one).verdict).toBe('inconclusive'));
});

test('where nothing was refused, or no job could be taken out, it says so', () => {
  expect(judged(filledQueue(0, 50, Number.POSITIVE_INFINITY)).reason).toContain('never refused');
  expect(judged({ ...filledQueue(0, 50, 51), reopenings: [] }).reason).toContain('could be cancelled');
});

describe('the lengths that were tried', () => {
  test('as numbers from and to', () => {
    expect(lengthsTried(filledQueue(1, 500, 501), 'run').observed).toBe(
      'inst-a, WorkersMax 1: accepted with 0 to 500 queued, refused with 501',
    );
    expect(lengthsTried(filledQueue(1, 500, 501), 'runsync').observed).toBe(
      'inst-a, WorkersMax 1: accepted with 51, 499 to 500 queued, refused with 501',
    );
    const at = (queuedMin: number, queuedMax = queuedMin) => ({ queuedMin, queuedMax });
    expect([ranges([]), ranges([at(3), at(1, 2), at(1, 2), at(9)])]).toEqual(['none', '1 to 3, 9']);
  });

  test('and nothing where nothing was', () => {
    expect(lengthsTried({ ...filledQueue(0, 50, 51), attempts: [] }, 'run').verdict).toBe('inconclusive');
  });
});
