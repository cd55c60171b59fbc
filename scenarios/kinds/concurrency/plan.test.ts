import { expect, test } from 'vitest';
import { type ConcurrencyLimit, documentedTable, limitFor, limitsOf } from '../../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../../schemas/operations.ts';
import type { Calibration } from '../../../schemas/target.ts';
import { CONTROL_REQUESTS } from '../../execute/control.ts';
import { contextFor, endpoint, quick } from '../../plan/testing/targets.ts';
import { CONTROL_ROUNDS, ELSEWHERE_REQUESTS, SCOUT_REQUESTS, timingsAtMost } from './held/amounts.ts';
import { longPollCandidates } from './long-poll.ts';
import { controlsSpend, extraOf, heldCandidate, heldRequests, queueInTheWay } from './plan.ts';

const usual = contextFor([endpoint('big', 3), endpoint('none', 0)]);
const row = (budget: DocumentedBudgetId) => limitFor('concurrent-requests', budget) as ConcurrencyLimit;

test('a few more than the limit, more of them for a large one', () => {
  expect([2, 20, 200, 1000].map((value) => extraOf({ value }))).toEqual([2, 3, 10, 50]);
});

test('a probe of concurrency never comes near the rate limit', () => {
  for (const limit of limitsOf('concurrent-requests')) {
    const rate = limitFor('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
    expect(limit.value + extraOf(limit) + 2).toBeLessThanOrEqual(rate);
    expect(heldRequests(limit, documentedTable)).toBeLessThanOrEqual(rate);
  }
});

test('every row of the table gets a held-body probe over all its operations that take a body', () => {
  for (const limit of limitsOf('concurrent-requests')) {
    const { probe } = heldCandidate(limit, usual);
    const operations = limit.operations.filter((id) => id !== 'models');
    expect(probe?.parameters).toMatchObject({ technique: 'held-body', limit: limit.value, operations });
    expect(probe?.exclusive).toContain(`budget:${limit.budget}`);
    expect(probe?.sender).toBe('held');
  }
});

/** Sent besides: control requests, and looks at how long answers take. */
const besides = (held: number) => CONTROL_ROUNDS * CONTROL_REQUESTS + timingsAtMost(held);

test('everything is announced, and what is no held request spends of interface A, whose operations have one limit', () => {
  const more: Partial<Record<string, number>> = { status: SCOUT_REQUESTS, inference: ELSEWHERE_REQUESTS };
  for (const limit of limitsOf('concurrent-requests')) {
    const { probe } = heldCandidate(limit, usual);
    const held = heldRequests(limit, documentedTable) + (more[limit.budget] ?? 0);
    expect(probe?.parameters).toMatchObject({ most: held });
    expect(probe?.requests).toBe(held + besides(held));
    expect(probe?.spends[limit.budget]).toBe(held + (limit.budget === 'inference' ? besides(held) : 0));
  }
  expect(controlsSpend('inference')).toBe(CONTROL_REQUESTS);
  expect(controlsSpend('status')).toBe(0);
});

test('a limit is tested up to twice its value, and a small one as far as four processes would go', () => {
  const held = (budget: DocumentedBudgetId) => heldRequests(row(budget), documentedTable);
  for (const limit of limitsOf('concurrent-requests')) {
    const rate = limitFor('requests', limit.budget)?.value ?? Number.POSITIVE_INFINITY;
    expect(held(limit.budget)).toBeGreaterThanOrEqual(Math.min(rate, 2 * limit.value + 1));
  }
  for (const budget of ['cancel', 'requests'] as const) expect(held(budget)).toBeGreaterThan(4 * row(budget).value);
});

test('only a limit of each address is tested from another one, and only where there is one', () => {
  const alone = { ...usual, target: { ...usual.target } };
  Reflect.deleteProperty(alone.target, 'otherAddress');
  const id = 'inference.concurrency.per-address';
  expect(heldCandidate(row('inference'), usual)).toMatchObject({
    checkIds: expect.arrayContaining([id]),
    probe: { parameters: { otherAddress: usual.target.otherAddress } },
  });
  expect(heldCandidate(row('run'), usual).probe?.parameters).not.toHaveProperty('otherAddress');
  expect(heldCandidate(row('inference'), alone).checkIds).not.toContain(id);
  expect(heldCandidate(row('inference'), alone).probe?.parameters).not.toHaveProperty('otherAddress');
});

test('operations on a job are about one that is known, and use no other budget', () => {
  expect(Object.keys(heldCandidate(row('cancel'), usual).probe?.spends ?? {})).toEqual(['cancel']);
  expect(heldCandidate(row('requests'), usual).probe?.shared).toEqual([]);
});

test('released requests become jobs, which the queue has to take and workers have to finish', () => {
  const none = contextFor([endpoint('none', 0)]);
  expect(heldCandidate(row('run'), none).missing).toMatchObject({ kind: 'not-observable' });
  expect(JSON.stringify(heldCandidate(row('runsync'), none).missing)).toContain('WorkersMax >= 1');
  expect(heldCandidate(row('status'), none).probe).toBeDefined();
  const unknown = contextFor([endpoint('unknown', null)]);
  expect(heldCandidate(row('run'), unknown).probe).toBeDefined();
  const stuck = contextFor([endpoint('unknown', null)], { ...quick, quickJobMs: null });
  expect(heldCandidate(row('run'), stuck).probe).toBeUndefined();
});

test('where jobs take too long to wait for, they are not made, if the service refuses submissions without an input', () => {
  const slow = { ...quick, quickJobMs: 800, requestMs: { run: 2 } };
  const refusing = { ...slow, refusalMs: { run: 2, runsync: 2 } };
  const planned = (budget: DocumentedBudgetId, speed: Calibration) => {
    const context = contextFor([endpoint('big', 3)], speed);
    return [heldCandidate(row(budget), context), ...longPollCandidates(row(budget), context)];
  };
  const [held, longPoll] = planned('runsync', refusing);
  expect(held?.probe?.parameters).toMatchObject({ withoutInput: 'its workers need about 116 s for 436 jobs' });
  expect(JSON.stringify(longPoll?.missing)).toContain('deploy a quicker handler');
  // What isn't refused would make them all the same.
  expect(planned('runsync', slow)[0]?.probe?.parameters).not.toHaveProperty('withoutInput');
  // A submission alone waits for no job.
  expect(planned('run', refusing)[0]?.probe?.parameters).not.toHaveProperty('withoutInput');
  expect(planned('runsync', { ...refusing, quickJobMs: 30 })[0]?.probe?.parameters).not.toHaveProperty('withoutInput');
});

test('a queue that is too short says how many workers it takes', () => {
  const reason = queueInTheWay(1200, endpoint('one', 1), usual);
  expect(JSON.stringify(reason)).toContain('WorkersMax >= 3');
  expect(queueInTheWay(400, endpoint('one', 1), usual)).toBeUndefined();
});

test('interface A needs no endpoint', () => {
  expect(heldCandidate(row('inference'), contextFor([])).probe?.parameters.instId).toBe('');
});
