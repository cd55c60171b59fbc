/** Attribution: a rate probe is planned only where neither the queue nor the workers can be what refuses or delays. */
import { expect, test } from 'vitest';
import { documentedTable, limitFor, queueBorder, type RateLimit } from '../../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../../schemas/operations.ts';
import { queueRule } from '../../plan/endpoints.ts';
import { contextFor, endpoint, quick } from '../../plan/testing/targets.ts';
import { burstJobs, endpointForRate, expectedBurstMs, paceWindowsOn } from './endpoint.ts';

const row = (budget: DocumentedBudgetId): RateLimit => limitFor('requests', budget) as RateLimit;

function chosen(budget: DocumentedBudgetId, context: ReturnType<typeof contextFor>): string {
  const choice = endpointForRate(row(budget), context);
  return 'endpoint' in choice ? choice.endpoint.instId : JSON.stringify(choice.missing);
}

const enough =
  [0, 1, 2, 3, 4].find((workers) => queueBorder(queueRule(documentedTable), workers) >= burstJobs(row('run'))) ?? 0;

test('run: an endpoint whose queue takes the whole burst', () => {
  expect(chosen('run', contextFor([endpoint('small', 1), endpoint('fits', enough)]))).toBe('fits');
});

test('run: too small a queue says how many workers it takes', () => {
  const reason = chosen('run', contextFor([endpoint('small', 1)]));
  expect(reason).toContain('not-observable');
  expect(reason).toContain(`WorkersMax >= ${enough}`);
});

test('run: a larger endpoint that is not dedicated is no way out', () => {
  expect(chosen('run', contextFor([endpoint('small', 1), endpoint('shared', 9, false)]))).toContain('WorkersMax >=');
  expect(chosen('run', contextFor([endpoint('shared', 9, false)]))).toContain('--dedicated');
});

test('run: a measured drain makes up for a queue that holds the burst, but not quite what is beyond it', () => {
  const almost = [endpoint('almost', enough - 1)];
  expect(queueBorder(queueRule(documentedTable), enough - 1)).toBeGreaterThanOrEqual(row('run').value);
  expect(chosen('run', contextFor(almost, { ...quick, quickJobMs: 4 }))).toBe('almost');
  expect(chosen('run', contextFor(almost, { ...quick, quickJobMs: 100 }))).toContain('not-observable');
  expect(chosen('run', contextFor(almost, null))).toContain('not-observable');
});

test('run: where workers are slower than the limit nothing follows the burst, unless the queue has room for all', () => {
  const windows = (quickJobMs: number, workers: number) => {
    const one = endpoint('slow', workers);
    const context = contextFor([one], { ...quick, quickJobMs });
    expect(chosen('run', context)).toBe('slow');
    return paceWindowsOn(5, row('run'), one, context);
  };
  expect(windows(4, enough)).toBe(5);
  expect(windows(100, 20)).toBe(5);
  expect(windows(100, enough)).toBeNull();
});

test('the pace of what leaves no jobs behind is never shortened', () => {
  const one = endpoint('slow', 1);
  expect(paceWindowsOn(2, row('status'), one, contextFor([one], { ...quick, quickJobMs: 5000 }))).toBe(2);
});

test('run: without WorkersMax the border is unknown', () => {
  expect(chosen('run', contextFor([endpoint('unknown', null)]))).toContain('--workers-max');
});

test('jobs that never finish allow neither run nor runsync', () => {
  const stuck = contextFor([endpoint('a', 5)], { ...quick, quickJobMs: null });
  expect(chosen('run', stuck)).toContain('inconclusive');
  expect(chosen('runsync', stuck)).toContain('no job of the quick workload');
});

test('runsync: workers that keep up', () => {
  expect(chosen('runsync', contextFor([endpoint('a', 1), endpoint('b', 3)]))).toBe('b');
  expect(chosen('runsync', contextFor([endpoint('unknown', null)], { ...quick, quickJobMs: 3 }))).toBe('unknown');
});

test('runsync: workers that do not are reported with numbers', () => {
  const slow = { ...quick, quickJobMs: 60 };
  const reason = chosen('runsync', contextFor([endpoint('a', 3)], slow));
  expect(reason).toContain('inconclusive');
  expect(reason).toMatch(/quick job 60 ms, WorkersMax 3/);
  const workers = Number(/WorkersMax >= (\d+)/.exec(reason)?.[1]);
  expect(chosen('runsync', contextFor([endpoint('a', workers)], slow))).toBe('a');
  expect(chosen('runsync', contextFor([endpoint('a', workers - 1)], slow))).toContain('inconclusive');
  expect(chosen('runsync', contextFor([endpoint('a', null)], slow))).toContain('--workers-max');
});

test('runsync: a burst takes as long as its workers need, however quickly it is sent', () => {
  const one = endpoint('a', 1);
  const context = contextFor([one], { ...quick, roundTripMs: 1, requestMs: {}, quickJobMs: 6 });
  expect(expectedBurstMs(row('runsync'), one, context)).toBe(5 * row('runsync').value);
});

test('runsync: more workers are no remedy for a handler that is slow for so few connections', () => {
  const reason = chosen('runsync', contextFor([endpoint('a', 1000)], { ...quick, quickJobMs: 900 }));
  expect(reason).toContain('quicker handler');
});

test('runsync: a far target is no reason by itself, and no number of workers is the remedy for one too far', () => {
  const far = (roundTripMs: number) => ({ ...quick, roundTripMs, requestMs: {}, quickJobMs: roundTripMs + 3 });
  expect(chosen('runsync', contextFor([endpoint('a', 3)], far(200)))).toBe('a');
  expect(chosen('runsync', contextFor([endpoint('a', 3)], far(800)))).toContain('nearer to the target');
});

test('runsync: not on an endpoint with other users, and not without workers', () => {
  expect(chosen('runsync', contextFor([endpoint('shared', 9, false)]))).toContain('--dedicated');
  expect(chosen('runsync', contextFor([endpoint('none', 0)]))).toContain('WorkersMax >= 1');
});

test('purge: the dedicated endpoint with the fewest workers', () => {
  expect(chosen('purge-queue', contextFor([endpoint('b', 3), endpoint('s', 0, false), endpoint('c', 1)]))).toBe('c');
  expect(chosen('purge-queue', contextFor([endpoint('s', 0, false)]))).toContain('--dedicated');
});

test('everything else takes the best endpoint there is', () => {
  for (const budget of ['status', 'cancel', 'requests'] as const) {
    expect(chosen(budget, contextFor([endpoint('s', 9, false), endpoint('own', 1)]))).toBe('own');
    expect(chosen(budget, contextFor([]))).toContain('--inst-id');
  }
});
