import { expect, test } from 'vitest';
import { type ConcurrencyLimit, documentedTable, limitFor, limitsOf } from '../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../schemas/operations.ts';
import { CONTROL_REQUESTS } from '../execute/control.ts';
import { controlsSpend, extraOf, heldCandidate, heldRequests, queueInTheWay } from './concurrency.ts';
import { SETUP_MOST } from './counts.ts';
import { contextFor, endpoint, quick } from './testing/targets.ts';

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

test('the control requests are announced, and spend of interface A, whose operations all have one limit', () => {
  for (const limit of limitsOf('concurrent-requests')) {
    const { probe } = heldCandidate(limit, usual);
    const setup = ['status', 'cancel'].includes(limit.budget) ? SETUP_MOST : 0;
    expect(probe?.requests).toBe(heldRequests(limit, documentedTable) + CONTROL_REQUESTS + setup);
  }
  expect(controlsSpend('inference')).toBe(CONTROL_REQUESTS);
  expect(controlsSpend('status')).toBe(0);
  const spent = (budget: DocumentedBudgetId) => heldCandidate(row(budget), usual).probe?.spends[budget];
  expect(spent('inference')).toBe(heldRequests(row('inference'), documentedTable) + CONTROL_REQUESTS);
  expect(spent('requests')).toBe(heldRequests(row('requests'), documentedTable));
});

test('operations on a job share the budget of run, since one job is submitted first', () => {
  expect(heldCandidate(row('cancel'), usual).probe?.shared).toContain('budget:run');
  expect(heldCandidate(row('cancel'), usual).probe?.spends).toMatchObject({ run: 1 });
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

test('a queue that is too short says how many workers it takes', () => {
  const reason = queueInTheWay(1200, endpoint('one', 1), usual);
  expect(JSON.stringify(reason)).toContain('WorkersMax >= 3');
  expect(queueInTheWay(400, endpoint('one', 1), usual)).toBeUndefined();
});

test('interface A needs no endpoint', () => {
  expect(heldCandidate(row('inference'), contextFor([])).probe?.parameters.instId).toBe('');
});
