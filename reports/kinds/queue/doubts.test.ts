/** Breaks of a queue's claims beside signs that the target was gone for a moment. */
import { describe, expect, test } from 'vitest';
import type { QueueFacts } from '../../../schemas/facts.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import { broken, type Claim, gate, holds } from '../../verdicts/claim.ts';
import { filledQueue, soundHealth } from '../../verdicts/testing/facts.ts';
import { queueDoubts } from './index.ts';

const claims: Record<string, Claim> = { kept: holds('a', 'b'), not: broken('c', 'd') };
const sound = filledQueue(1, 500, 501);
const gated = (facts: QueueFacts, all: Record<string, Claim>) => gate(all, queueDoubts(facts));
const judge = (facts: QueueFacts) => gated(facts, claims);

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
  expect(judge(sound)).toEqual(claims);
  expect(judge(answered(400))).toEqual(claims);
});

test('another status beyond the border is what the queue itself answers', () => {
  const last = sound.attempts.at(-1);
  if (!last) throw new Error('the sample has attempts');
  const beyond = { ...last, queuedMin: 502, queuedMax: 502, outcome: 'other' as const, status: 503 };
  expect(judge({ ...sound, attempts: [...sound.attempts, beyond] })).toEqual(claims);
});

describe('with them it is open, and what held still holds', () => {
  test.each<[string, QueueFacts, RegExp]>([
    ['a submission without an answer', answered(0), /^1 of \d+ submissions/],
    ['a submission answered by a gateway', answered(502), /^1 of \d+ submissions/],
    ['a purge answered by one', purged({ status: 503 }), /answered 503/],
    ['what was submitted next answered by one', purged({ nextStatus: 502 }), /next submission was answered 502/],
    ['a look that was not answered', { ...sound, outage: { requests: 2, statuses: { 0: 2 } } }, /^2 other requests/],
    ['health refused too', { ...sound, refusedHealth: 2 }, /^2 requests to health, which has no limit, were refused/],
  ])('%s', (_, facts, why) => {
    expect(judge(facts).kept?.verdict).toBe('holds');
    expect(judge(facts).not).toMatchObject({
      verdict: 'inconclusive',
      observed: 'd',
      reason: expect.stringMatching(why),
    });
  });
});

test('that jobs were accepted beyond the border stays true whatever else was lost', () => {
  const enforced = { 'run.queue.enforced': broken('a', 'b') };
  expect(gated(answered(0), enforced)).toEqual(enforced);
});

test('a ledger that is not whole carries nothing', () => {
  const judged = judge({ ...sound, health: soundHealth({ unreadable: 3 }) });
  expect(Object.values(judged).map(({ reason }) => reason)).toEqual([
    '3 lines of its ledger are unreadable',
    '3 lines of its ledger are unreadable',
  ]);
});

describe('a purge after which everything is unknown', () => {
  const clears = { [PURGE_CLEARS]: holds('a', 'b') };
  const keeps = { [PURGE_KEEPS_RUNNING]: broken('a', 'b') };
  const outage = { requests: 1, statuses: { 0: 1 } };

  test.each<[string, QueueFacts, string]>([
    ['a cancelled job too', purged({ memory: 'lost' }), 'inconclusive'],
    ['and nobody knows of another job', purged({}), 'holds'],
    ['and a request met it gone', { ...sound, outage }, 'inconclusive'],
    ['but a cancelled one, though a request got no answer', { ...purged({ memory: 'kept' }), outage }, 'holds'],
    ['as before it', { ...sound, waiting: { sampled: 2, left: 0, forgotten: 1 } }, 'inconclusive'],
  ])('%s', (_, facts, verdict) => expect(gated(facts, clears)[PURGE_CLEARS]?.verdict).toBe(verdict));

  test.each<[string, QueueFacts, string]>([
    ['the running one at once', purged({ finished: 'gone' }), 'broken'],
    ['the running one later', purged({ finished: 'gone', ranOn: true }), 'inconclusive'],
    ['the running one later, and no other', purged({ finished: 'gone', ranOn: true, memory: 'kept' }), 'broken'],
    ['the running one and a cancelled one', purged({ finished: 'gone', memory: 'lost' }), 'inconclusive'],
  ])('%s', (_, facts, verdict) => expect(gated(facts, keeps)[PURGE_KEEPS_RUNNING]?.verdict).toBe(verdict));
});
