/** Breaks of a queue's claims beside signs that the target was gone for a moment. */
import { describe, expect, test } from 'vitest';
import type { QueueFacts } from '../../schemas/facts.ts';
import { carriedOfQueue } from './carried-queue.ts';
import { broken, type Claim, holds } from './claim.ts';
import { filledQueue } from './testing/facts.ts';

const claims: Record<string, Claim> = { kept: holds('a', 'b'), not: broken('c', 'd') };
const sound = filledQueue(1, 500, 501);
const judge = (facts: QueueFacts) => carriedOfQueue(facts, claims);

/** The same with one submission that was answered so. */
function answered(status: number): QueueFacts {
  const [first, ...rest] = sound.attempts;
  if (!first) throw new Error('the sample has attempts');
  return { ...sound, attempts: [{ ...first, outcome: 'other', status }, ...rest] };
}

function purged(changes: Partial<NonNullable<QueueFacts['purge']>>): QueueFacts {
  if (!sound.purge) throw new Error('the sample has a purge');
  return { ...sound, purge: { ...sound.purge, ...changes } };
}

test('without such signs a break is one', () => {
  expect(judge(sound)).toBe(claims);
  expect(judge(answered(400))).toBe(claims);
  expect(judge(purged({ nextStatus: 503 }))).toBe(claims);
});

test('another status beyond the border is what the queue itself answers', () => {
  const last = sound.attempts.at(-1);
  if (!last) throw new Error('the sample has attempts');
  const beyond = { ...last, queuedMin: 502, queuedMax: 502, outcome: 'other' as const, status: 503 };
  expect(judge({ ...sound, attempts: [...sound.attempts, beyond] })).toBe(claims);
});

describe('with them it is open, and what held still holds', () => {
  test.each<[string, QueueFacts, RegExp]>([
    ['a submission without an answer', answered(0), /^1 of \d+ submissions/],
    ['a submission answered by a gateway', answered(502), /^1 of \d+ submissions/],
    ['a purge answered by one', purged({ status: 503 }), /answered 503/],
  ])('%s', (_, facts, why) => {
    expect(judge(facts).kept?.verdict).toBe('holds');
    expect(judge(facts).not).toMatchObject({
      verdict: 'inconclusive',
      observed: 'd',
      reason: expect.stringMatching(why),
    });
  });
});
