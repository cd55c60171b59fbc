/** Goals held against latency: kept, missed, and everything that leaves it open. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoadFacts } from '../../schemas/facts.ts';
import { declareGoals, type Goal } from '../../schemas/goals.ts';
import type { PacedRequests } from '../../schemas/latency.ts';
import { facts, requests, sound, streamFacts } from '../latency/testing/paced.ts';
import { judgeGoals } from './goals.ts';

const p99: Goal = { operation: 'run', measure: 'latency', percentile: 'p99', ms: 100 };

function judged(load: readonly LoadFacts[], goal = p99) {
  const [check] = judgeGoals(load, declareGoals([goal]));
  if (!check) throw new Error('no check');
  return check;
}

const load = (groups: readonly PacedRequests[], planned = sum(groups), health = sound) =>
  facts([{ phase: 'pace', periodMs: 10, planned: { run: planned }, tookMs: 0, requests: groups }], 'run.rate', health);
const sum = (groups: readonly PacedRequests[]) =>
  groups.reduce((count, { dueToEndMs }) => count + dueToEndMs.length, 0);
/** So many that took so long. */
const taking = (...parts: readonly (readonly [count: number, ms: number])[]) =>
  parts.flatMap(([count, ms]) => new Array<number>(count).fill(ms));
const ok = (...parts: readonly (readonly [number, number])[]) => requests('run', { dueToEndMs: taking(...parts) });

test('a goal is a check of its own, and its user wants it held', () => {
  expect(judged([load([ok([100, 5])])])).toMatchObject({
    id: 'goal.run.p99',
    level: 'goal',
    clauses: [],
    verdict: 'pass',
    expected: 'p99 of the latency of run: at most 100 ms',
    observed: '5.00 ms over 100 requests',
  });
});

test('one request in a hundred may take longer, two may not', () => {
  expect(judged([load([ok([99, 5], [1, 900])])]).verdict).toBe('pass');
  expect(judged([load([ok([98, 5], [2, 900])])])).toMatchObject({
    verdict: 'fail',
    observed: '900 ms over 100 requests',
  });
});

test('the requests of all probes count together', () => {
  expect(judged([load([ok([98, 5], [2, 900])]), load([ok([200, 5])])]).verdict).toBe('pass');
});

test('a 5xx or no answer is slower than any goal; a refusal does not count', () => {
  const [broke, silent] = (['5xx', 'none'] as const).map((statusClass) => requests('run', { statusClass }));
  const refused = requests('run', { statusClass: '429', dueToEndMs: taking([50, 900]) });
  expect(judged([load([ok([300, 5]), refused, ...(broke ? [broke] : [])])]).verdict).toBe('pass');
  const lost = [ok([98, 5]), ...(broke && silent ? [broke, silent] : [])];
  expect(judged([load(lost)])).toMatchObject({
    verdict: 'fail',
    observed: 'never over 100 requests, 2 of them without an answer or with a server error',
  });
});

test('an answer that says no in time is in time', () => {
  const denied = requests('run', { statusClass: '4xx', dueToEndMs: taking([100, 5]) });
  expect(judged([load([denied])]).verdict).toBe('pass');
});

test('of fewer than a hundred the one in a hundred is unknown', () => {
  for (const parts of [[99, 5] as const, [99, 900] as const]) {
    const check = judged([load([ok(parts)])]);
    expect(check).toMatchObject({ verdict: 'inconclusive' });
    expect(check.reason).toContain('p99 needs 100 requests');
  }
  expect(judged([load([ok([99, 5])])], { ...p99, percentile: 'p50' }).verdict).toBe('pass');
});

test('nothing was sent: open, and what to do', () => {
  const check = judged([]);
  expect(check).toMatchObject({ verdict: 'inconclusive', observed: 'no paced request' });
  expect(check.reason).toContain('profile gate or nightly');
});

test('moments at which nothing was sent may have been slow ones', () => {
  const check = judged([load([ok([100, 5])], 103)]);
  expect(check).toMatchObject({ verdict: 'inconclusive' });
  expect(check.reason).toBe('3 more moments of the schedule came too late for a request to be sent');
  expect(judged([load([ok([400, 5])], 403)]).verdict).toBe('pass');
  expect(judged([load([ok([98, 5], [2, 900])], 110)]).verdict).toBe('fail');
});

test('a sender that was late by itself by more than a tenth of the goal leaves a miss open, and not a pass', () => {
  const late = (ownMs: number, ms: number) =>
    requests('run', { dueToEndMs: taking([98, 5], [2, ms]), ownLateMs: taking([98, 0], [2, ownMs]) });
  const check = judged([load([late(11, 900)])]);
  expect(check).toMatchObject({ verdict: 'inconclusive' });
  expect(check.reason).toContain('the sender was 11.0 ms late, more than a tenth of the goal');
  expect(judged([load([late(60, 90)])]).verdict).toBe('pass');
  expect(judged([load([late(9, 900)])]).verdict).toBe('fail');
  expect(judged([load([late(9, 105)])]).reason).toContain('without the lateness of the sender it is within the goal');
});

test('waiting for a target that stands still is no lateness of the sender', () => {
  const stalled = requests('run', { dueToEndMs: taking([90, 5], [10, 900]), lateMs: taking([90, 0], [10, 800]) });
  expect(judged([load([stalled])]).verdict).toBe('fail');
});

test.each([
  [{ complete: false }, 'cut off'],
  [{ unreadable: 1 }, 'unreadable'],
  [{ clockStepMs: 5000 }, 'the clock stepped'],
])('a ledger that is %j judges nothing', (changes, reason) => {
  const check = judged([load([ok([98, 5], [2, 900])], 100, { ...sound, ...changes })]);
  expect(check.verdict).toBe('inconclusive');
  expect(check.reason).toContain(reason);
});

test('a verdict never depends on unknowns: it stands for any missing requests and any lateness of the sender', () => {
  const times = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 100, maxLength: 300 });
  fc.assert(
    fc.property(times, fc.nat(20), fc.nat(30), (all, leftOut, ownMs) => {
      const own = requests('run', { dueToEndMs: all.map((ms) => ms + ownMs), ownLateMs: all.map(() => ownMs) });
      const { verdict } = judged([load([own], all.length + leftOut)]);
      const rank = (values: readonly number[]) =>
        [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99 - 1e-9) - 1] ?? 0;
      const slowest = [...all, ...new Array<number>(leftOut).fill(1e9)];
      if (verdict === 'pass') expect(rank(slowest)).toBeLessThanOrEqual(100);
      if (verdict === 'fail') expect(rank(all)).toBeGreaterThan(100);
    }),
  );
});

const first: Goal = { operation: 'chat', measure: 'first-token', percentile: 'p50', ms: 50 };
const stream = (...tokensMs: number[]) => ({ status: 200, tokensMs, wholeMs: 100 });

test('goals on streams', () => {
  expect(judged([streamFacts([stream(40), stream(45), stream(900)])], first)).toMatchObject({
    id: 'goal.chat.first-token-p50',
    verdict: 'pass',
    observed: '45.0 ms over 3 streams',
  });
  expect(judged([streamFacts([stream(60), stream(70)])], first).verdict).toBe('fail');
  const between = { ...first, measure: 'between-tokens' } as const;
  expect(judged([streamFacts([stream(1, 2, 3, 4)])], between)).toMatchObject({
    id: 'goal.chat.between-tokens-p50',
    verdict: 'pass',
  });
});

test('tokens that may have lain unread leave a miss open, and not a pass', () => {
  const stalled = (loopLagMs: number) => {
    const machine = { idleShare: 0.5, leastIdleShare: 0.1, loopLagMs, peakBytes: null };
    return [streamFacts([stream(60), stream(70)], { ...sound, machine })];
  };
  expect(judged(stalled(5), first).verdict).toBe('fail');
  expect(judged(stalled(6), first).reason).toContain('stalled for 6.00 ms');
  expect(judged(stalled(600), { ...first, ms: 100 }).verdict).toBe('pass');
});

test('streams that say too little leave theirs open', () => {
  const reason = (...args: Parameters<typeof judged>) => {
    const check = judged(...args);
    expect(check.verdict).toBe('inconclusive');
    return check.reason;
  };
  expect(reason([], first)).toContain('no stream of chat was read');
  expect(reason([streamFacts([stream()])], first)).toContain('none of the 1 streams brought a token');
  expect(reason([streamFacts([stream(1)])], first)).toBe('p50 needs 2 values');
  expect(reason([streamFacts([stream(1), stream(2), stream()])], first)).toBe('1 of 3 streams brought none');
  expect(reason([streamFacts([stream(1), stream(2)], { ...sound, complete: false })], first)).toContain('cut off');
});
