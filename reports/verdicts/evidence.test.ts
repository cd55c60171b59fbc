/** What each weakness of the evidence takes from a verdict, and what it leaves. */
import { describe, expect, test } from 'vitest';
import type { GeneratorHealth, LoadFacts } from '../../schemas/facts.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import { brokenLedger, CLOCK_STEP_MS, carried, generatorFault, LOOP_STALL_MS } from './evidence.ts';
import { exactConcurrency, payloadFacts, soundHealth } from './testing/facts.ts';

const machine = { idleShare: 0.5, leastIdleShare: 0.1, loopLagMs: null, peakBytes: null };
const late = (p95Ms: number, roomMs?: number) => ({
  scheduled: 100,
  p50Ms: 10,
  p95Ms,
  p99Ms: 9000,
  maxMs: 9000,
  ...(roomMs === undefined ? {} : { roomMs }),
});

describe('a sound generator', () => {
  test.each<[string, Partial<GeneratorHealth>]>([
    ['that did what was planned', {}],
    ['whose clock drifts a little', { clockStepMs: -CLOCK_STEP_MS }],
    ['that is as late as the way is long, all along', { lateness: late(60, 80) }],
    ['that was late where nobody minds', { lateness: late(5000) }],
    ['on a machine without any processor left', { machine: { ...machine, leastIdleShare: 0 } }],
  ])('%s', (_, changes) => {
    expect(generatorFault(soundHealth(changes))).toBeUndefined();
  });
});

describe('a stumbling one says by how much', () => {
  test.each<[Partial<GeneratorHealth>, RegExp]>([
    [{ complete: false, sent: 7, planned: 10 }, /cut off after 7 of 10 requests/],
    [{ lost: { lines: 3, why: 'no space left on device' } }, /3 lines .* written \(no space left on device\)/],
    [{ unreadable: 2 }, /2 lines .* unreadable/],
    [{ clockStepMs: CLOCK_STEP_MS + 1 }, /stepped by 51 ms/],
    [{ sent: 9, planned: 10 }, /only 9 of 10 planned/],
    [{ lateness: late(120, 80) }, /110 ms later than usual, and the pace leaves 80 ms/],
  ])('%o', (changes, words) => {
    expect(generatorFault(soundHealth(changes))).toMatch(words);
  });

  test('and of several weaknesses names the one that leaves least', () => {
    expect(generatorFault(soundHealth({ complete: false, unreadable: 1, clockStepMs: 5000 }))).toMatch(/cut off/);
  });
});

describe('what a ledger carries', () => {
  const claims: Record<string, Claim> = {
    kept: holds('a', 'b'),
    not: broken('c', 'd'),
    open: unclear('e', 'f', 'for a reason of its own'),
  };
  const verdicts = (facts: LoadFacts) => Object.values(carried(facts, claims)).map((claim) => claim.verdict);
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

  test('what could not be asked at all stays so', () => {
    const closed: Claim = { verdict: 'not-observable', expected: 'a', observed: 'nothing', reason: 'needs a key' };
    const facts = concurrency({ complete: false });
    expect(carried(facts, { closed })).toEqual({ closed });
  });

  test('answers that a stalled sender left unread are no evidence, where it is answers to held requests', () => {
    const stalled = (loopLagMs: number) => concurrency({ machine: { ...machine, loopLagMs } });
    expect(verdicts(stalled(LOOP_STALL_MS - 1))).toEqual(['holds', 'broken', 'inconclusive']);
    expect(verdicts(stalled(LOOP_STALL_MS))).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(carried(stalled(LOOP_STALL_MS), claims).kept?.reason).toMatch(/kept from running for 300 ms/);
    const waiting: LoadFacts = { ...stalled(LOOP_STALL_MS), technique: 'long-poll' };
    expect(verdicts(waiting)).toEqual(['holds', 'broken', 'inconclusive']);
  });

  test('late sends take nothing from a refusal that was counted by worst case', () => {
    expect(verdicts(concurrency({ lateness: late(120, 80) }))).toEqual(['holds', 'broken', 'inconclusive']);
  });

  test('a body that was refused was refused, whatever became of the rest', () => {
    const facts = { ...payloadFacts('run.payload', 100, [90, 110]), health: soundHealth({ complete: false }) };
    expect(verdicts(facts)).toEqual(['holds', 'broken', 'inconclusive']);
  });

  test('nothing is added to what was not asked', () => {
    expect(brokenLedger(soundHealth({ sent: 1, planned: 2 }))).toBeUndefined();
  });
});
