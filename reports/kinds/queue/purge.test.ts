import { describe, expect, test } from 'vitest';
import type { QueueFacts, QueuePurge } from '../../../schemas/facts.ts';
import { filledQueue, soundHealth } from '../../verdicts/testing/facts.ts';
import { purgeClears, purgeKeepsRunning } from './judge.ts';

const beside = { rateFloor: () => 1000 };

function purged(changes: Partial<QueuePurge>, workersMax = 1): QueueFacts {
  const facts = filledQueue(workersMax, 500, 501);
  return facts.purge ? { ...facts, purge: { ...facts.purge, ...changes } } : facts;
}
const clears = (changes: Partial<QueuePurge>) => purgeClears(purged(changes), beside);
const keeps = (changes: Partial<QueuePurge>, workersMax = 1) => purgeKeepsRunning(purged(changes, workersMax));

describe('clearing', () => {
  test('all gone and the next one accepted: it holds, with the number of polls', () => {
    expect(clears({})).toMatchObject({
      verdict: 'holds',
      observed: expect.stringContaining('501 of 501 polled were gone'),
    });
  });

  test('one of all left behind breaks it, whether it goes later or not', () => {
    const early = clears({ cleared: 500, leftLater: 0 });
    expect(early).toMatchObject({
      verdict: 'broken',
      observed: expect.stringContaining('1 still queued, gone some time later'),
    });
    expect(clears({ cleared: 451, leftLater: 40 }).observed).toContain('50 still queued, 40 also later');
  });

  test('submissions that are refused afterwards break it', () => {
    expect(clears({ nextStatus: 429 }).verdict).toBe('broken');
    expect(clears({ nextStatus: 503 }).verdict).toBe('broken');
  });

  test('unless the rate limit, as measured, explains that', () => {
    const claim = purgeClears(purged({ nextStatus: 429 }), { rateFloor: () => 500 });
    expect(claim).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('500 per window') });
    expect(purgeClears(purged({ nextStatus: 503 }), { rateFloor: () => 500 }).verdict).toBe('broken');
  });

  test('a queue of which only a part was polled is not called empty while health counts jobs in it', () => {
    const part = { sampled: 100, cleared: 100 };
    expect(clears({ ...part, countAfter: 3 })).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('3 queued'),
    });
    expect(clears({ ...part, countAfter: 0 }).verdict).toBe('holds');
    expect(clears({ countAfter: 3 }).verdict).toBe('holds');
  });

  test('a queue that became empty before it was polled was perhaps never cleared', () => {
    expect(clears({ sampled: 2, cleared: 2, notReported: 499 })).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('by itself: 499 of 501 jobs had run'),
    });
    expect(clears({ sampled: 500, cleared: 500, notReported: 1 }).verdict).toBe('holds');
    expect(clears({ sampled: 2, cleared: 1, notReported: 499 }).verdict).toBe('broken');
  });

  test.each<Partial<QueuePurge>>([{ status: 429 }, { status: 0 }, { sampled: 0, cleared: 0 }, { nextStatus: 0 }])(
    '%j decides nothing',
    (changes) => expect(clears(changes).verdict).toBe('inconclusive'),
  );

  test('a purge that was not reached says why', () => {
    const { purge: _, ...facts } = filledQueue(1, 500, 501, { health: soundHealth({ complete: false }) });
    expect(purgeClears(facts, beside)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('cut off'),
    });
  });
});

describe('what runs', () => {
  test('goes on and is seen to complete', () => {
    expect(keeps({}, 3)).toMatchObject({
      verdict: 'holds',
      observed: expect.stringContaining('2 of 2 long jobs still running; the one that was to end soon: completed'),
    });
  });

  test.each(['cancelled', 'failed', 'gone'])('but the one that was to end soon is %s: broken', (finished) => {
    expect(keeps({ finished }).verdict).toBe('broken');
  });

  test('a long job that is gone breaks it', () => expect(keeps({ runningKept: 1 }, 3).verdict).toBe('broken'));

  test('without a job that was seen to its end nothing is decided', () => {
    expect(keeps({ finished: 'unknown' }).verdict).toBe('inconclusive');
    const { purge, ...facts } = purged({}, 3);
    const { finished: _, ...rest } = purge ?? {};
    expect(purgeKeepsRunning({ ...facts, purge: rest as QueuePurge }).verdict).toBe('inconclusive');
  });

  test('a purge that was refused or lost decides nothing', () => {
    for (const status of [429, 0]) expect(keeps({ status }).verdict).toBe('inconclusive');
  });
});
