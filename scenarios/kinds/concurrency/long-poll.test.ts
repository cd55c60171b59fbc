import { expect, test } from 'vitest';
import { type ConcurrencyLimit, limitFor } from '../../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../../schemas/operations.ts';
import { CONTROL_REQUESTS } from '../../execute/control.ts';
import { contextFor, endpoint, quick } from '../../plan/testing/targets.ts';
import { longPollCandidates } from './long-poll.ts';
import { extraOf } from './plan.ts';

type Context = ReturnType<typeof contextFor>;

const row = (budget: DocumentedBudgetId) => limitFor('concurrent-requests', budget) as ConcurrencyLimit;
const probeOf = (budget: DocumentedBudgetId, context: Context) => longPollCandidates(row(budget), context)[0]?.probe;
const reasonOf = (budget: DocumentedBudgetId, context: Context) =>
  JSON.stringify(longPollCandidates(row(budget), context)[0]?.missing);

const usual = contextFor([endpoint('big', 3)]);

test('only operations that wait by themselves get long polls', () => {
  const operations = (budget: DocumentedBudgetId) => probeOf(budget, usual)?.parameters;
  expect(operations('runsync')).toMatchObject({ operations: ['runsync'], technique: 'long-poll' });
  expect(operations('status')).toMatchObject({ operations: ['status-sync', 'stream'] });
  expect(operations('inference')).toMatchObject({ operations: ['chat'] });
  for (const budget of ['run', 'cancel', 'requests'] as const)
    expect(longPollCandidates(row(budget), usual)).toEqual([]);
});

test('a hold lasts longer for more requests and a more distant target', () => {
  const holdOf = (budget: DocumentedBudgetId, context: Context) => {
    const parameters = probeOf(budget, context)?.parameters;
    return parameters?.kind === 'concurrency' ? parameters.holdMs : 0;
  };
  expect(holdOf('inference', usual)).toBeGreaterThan(holdOf('runsync', usual));
  const distant = contextFor([endpoint('big', 3)], { ...quick, roundTripMs: 200 });
  expect(holdOf('runsync', distant)).toBeGreaterThan(holdOf('runsync', usual));
});

test('runsync takes all workers, so the endpoint must be dedicated and their number known', () => {
  expect(reasonOf('runsync', contextFor([endpoint('shared', 3, false)]))).toContain('--dedicated');
  expect(reasonOf('runsync', contextFor([endpoint('unknown', null)]))).toContain('--workers-max');
  expect(reasonOf('runsync', contextFor([endpoint('none', 0)]))).toContain('WorkersMax >= 1');
  expect(probeOf('runsync', contextFor([endpoint('s', 9, false), endpoint('own', 1)]))?.parameters.instId).toBe('own');
});

test('runsync: what waits stays within the queue', () => {
  const workers = Math.ceil(row('runsync').value);
  expect(probeOf('runsync', contextFor([endpoint('many', workers)]))).toBeDefined();
});

test('status needs one job that runs, on any endpoint', () => {
  expect(probeOf('status', contextFor([endpoint('shared', 3, false)]))?.parameters.instId).toBe('shared');
  expect(reasonOf('status', contextFor([endpoint('none', 0)]))).toContain('WorkersMax >= 1');
});

test('slow jobs keep queue and workers to themselves, and spend a little of run and status', () => {
  const probe = probeOf('runsync', usual);
  expect(probe?.exclusive).toEqual(['budget:runsync', 'queue:big', 'workers:big']);
  expect(probe?.early?.resources).toEqual(['budget:run', 'budget:status']);
  // They are cancelled in the end.
  expect(probe?.shared).toEqual(['budget:cancel']);
  expect(probe?.spends).toMatchObject({ run: 3, cancel: 3 });
  expect(probeOf('status', usual)?.early?.resources).toEqual(['budget:run']);
  expect(probeOf('status', usual)?.spends.status).toBeGreaterThan(row('status').value);
});

test('status waits on another endpoint than runsync, where there is one, so that both can at the same time', () => {
  const two = contextFor([endpoint('big', 3), endpoint('small', 1)]);
  expect(probeOf('runsync', two)?.exclusive).toContain('workers:big');
  expect(probeOf('status', two)?.exclusive).toContain('workers:small');
});

test('where status leaves a worker to others, quick jobs may run at the same time', () => {
  const big = contextFor([endpoint('big', 3)]);
  expect(probeOf('status', big)).toMatchObject({ exclusive: ['budget:status'] });
  expect(probeOf('status', big)?.shared).toEqual(expect.arrayContaining(['workers:big', 'queue:big']));
  // Others wait on the first, the one that is aborted on the second.
  expect(probeOf('status', big)?.spends).toMatchObject({ run: 2, cancel: 2 });
  const unknown = contextFor([endpoint('unknown', null)]);
  expect(probeOf('status', unknown)?.spends).toMatchObject({ run: 1, cancel: 1 });
  expect(probeOf('status', unknown)?.exclusive).toContain('workers:unknown');
});

test('interface A disturbs nothing of interface B', () => {
  const probe = probeOf('inference', usual);
  expect(probe?.exclusive).toEqual(['budget:inference']);
  expect(probe?.shared).toEqual([]);
  const { value } = row('inference');
  // And a longer and a streamed answer where the first one is too short, and nine tries for freed slots.
  const own = value + extraOf({ value }) + CONTROL_REQUESTS + 2 + 9;
  expect(probe).toMatchObject({ requests: own, spends: { inference: own } });
});
