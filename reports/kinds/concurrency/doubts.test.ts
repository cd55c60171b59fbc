/** What each trouble takes from a claim, and what it leaves. */
import { describe, expect, test } from 'vitest';
import type { ConcurrencyFacts, GeneratorHealth } from '../../../schemas/facts.ts';
import { broken, type Claim, gate, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';
import { exactConcurrency, soundHealth, wave } from '../../verdicts/testing/facts.ts';
import { concurrencyDoubts, LOOP_STALL_MS } from './index.ts';

const machine = { idleShare: 0.5, leastIdleShare: 0.1, loopLagMs: null, peakBytes: null };
const late = { scheduled: 100, p50Ms: 10, p95Ms: 120, p99Ms: 130, maxMs: 130, roomMs: 80 };

const carried = (facts: ConcurrencyFacts, claims: Record<string, Claim>) => gate(claims, concurrencyDoubts(facts));

describe('what a ledger carries', () => {
  const claims: Record<string, Claim> = {
    kept: holds('a', 'b'),
    not: broken('c', 'd'),
    open: inconclusive('e', 'f', 'for a reason of its own'),
  };
  const verdicts = (facts: ConcurrencyFacts) => Object.values(carried(facts, claims)).map((claim) => claim.verdict);
  const concurrency = (changes: Partial<GeneratorHealth>) =>
    exactConcurrency('cancel.concurrency', 20, { health: soundHealth(changes) });

  test('a whole one carries both', () => {
    expect(verdicts(concurrency({}))).toEqual(['holds', 'broken', 'inconclusive']);
  });

  test.each<[string, Partial<GeneratorHealth>]>([
    ['cut off', { complete: false }],
    ['with lines missing', { lost: { lines: 1, why: 'no space left on device' } }],
    ['with torn lines', { unreadable: 1 }],
    ['by a clock that stepped', { clockStepMs: 5000 }],
    ['of less than was planned', { sent: 1, planned: 2 }],
  ])('one %s carries neither, since it counts', (_, changes) => {
    const facts = concurrency(changes);
    expect(verdicts(facts)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(carried(facts, claims).open?.reason).toBe(
      brokenLedger(facts.health) ?? 'only 1 of 2 planned requests were sent',
    );
    expect(carried(facts, claims).kept).toMatchObject({ expected: 'a', observed: 'b' });
  });

  test('a few refusals are not held against a target that may have seen more than is known', () => {
    const lost = { unanswered: 2, sent: 100, unansweredError: '1220 reset' };
    const guarantee = (refusedWithinLimit: number, changes: Partial<GeneratorHealth> = lost) =>
      carried({ ...concurrency(changes), refusedWithinLimit }, { 'a.guarantee': broken('c', 'd') })['a.guarantee'];
    expect(guarantee(3)).toMatchObject({ verdict: 'inconclusive' });
    expect(guarantee(3)?.reason).toMatch(/^2 of 100 requests got no answer \(1220 reset\)/);
    expect(guarantee(21)).toMatchObject({ verdict: 'broken' });
    expect(guarantee(3, {})).toMatchObject({ verdict: 'broken' });
    const enforced = carried(concurrency(lost), { 'a.enforced': broken('c', 'd') });
    expect(enforced['a.enforced']).toMatchObject({ verdict: 'broken' });
  });

  describe('refusals by 503', () => {
    const by503 = { refusals: { statuses: { 503: 3 }, withRetryAfter: 0 } };
    const judge = (changes: Partial<ConcurrencyFacts>) => {
      const facts = exactConcurrency('cancel.concurrency', 20, { ...by503, ...changes });
      const all = carried(facts, { 'a.enforced': holds('c', 'd'), 'a.freed': broken('c', 'd') });
      return Object.values(all).map(({ verdict }) => verdict);
    };

    test('are a limit where exactly those beyond it get them', () => {
      expect(judge({})).toEqual(['holds', 'inconclusive']);
    });

    const lower = { within: wave(20, { refusedEarly: 1 }), refill: { requested: 13, taken: 19 } };

    test('are a lower limit where as many are admitted later, when slots were freed', () => {
      expect(judge(lower)).toEqual(['holds', 'inconclusive']);
    });

    test.each<[string, Partial<ConcurrencyFacts>]>([
      ['after the release', { beyond: wave(3, { refusedLate: 3 }) }],
      ['within the limit, of which more were let in later', { ...lower, overlapOuter: 20 }],
      ['within the limit, where no slot was given back', { ...lower, afterAbort: wave(1, { refusedEarly: 1 }) }],
      ['while nothing shows that the target was well', { arrivedTogether: false }],
    ])('may be an outage %s', (_, changes) => {
      expect(judge(changes)).toEqual(['inconclusive', 'inconclusive']);
    });

    test('of some of those beyond it take nothing from those that were let in before', () => {
      const facts = exactConcurrency('cancel.concurrency', 20, { ...by503, beyond: wave(8, { refusedEarly: 3 }) });
      const all = carried(facts, { 'a.guarantee': holds('a', 'b'), 'a.enforced': holds('c', 'd') });
      expect(Object.values(all).map(({ verdict }) => verdict)).toEqual(['holds', 'inconclusive']);
    });

    test('together with others that are refused by 429 take nothing from those', () => {
      expect(judge({ refusals: { statuses: { 429: 3, 503: 1 }, withRetryAfter: 0 } })).toEqual([
        'holds',
        'inconclusive',
      ]);
    });
  });

  test('a check that could not be sent at all stays so', () => {
    const closed: Claim = { verdict: 'not-observable', expected: 'a', observed: 'nothing', reason: 'needs a key' };
    const facts = concurrency({ complete: false });
    expect(carried(facts, { closed })).toEqual({ closed });
  });

  test('answers that a stalled sender left unread are no evidence, where it is answers to held requests', () => {
    const stalled = (loopLagMs: number) => concurrency({ machine: { ...machine, loopLagMs } });
    expect(verdicts(stalled(LOOP_STALL_MS - 1))).toEqual(['holds', 'broken', 'inconclusive']);
    expect(verdicts(stalled(LOOP_STALL_MS))).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(carried(stalled(LOOP_STALL_MS), claims).kept?.reason).toMatch(/stalled for 300 ms/);
    const waiting: ConcurrencyFacts = { ...stalled(LOOP_STALL_MS), technique: 'long-poll' };
    expect(verdicts(waiting)).toEqual(['holds', 'broken', 'inconclusive']);
  });

  test('late sends take nothing from a refusal that was counted by worst case', () => {
    expect(verdicts(concurrency({ lateness: late }))).toEqual(['holds', 'broken', 'inconclusive']);
  });
});
