/**
 * The queue rule of spec part 7 as a truth table, and what else the rules say on their own. The numbers are written out
 * on purpose: the rule and the limits table must not be wrong together.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitFor, queueBorder } from '../schemas/limits.ts';
import { operations } from '../schemas/operations.ts';
import { jobStates } from './jobs/states.ts';
import { specRules } from './rules.ts';

const limit = limitFor('queue', 'run');
if (!limit) throw new Error('the table has no queue limit for run');

const refuses = (queued: number, workersMax: number): boolean => specRules.queueRefuses(queued, workersMax, limit);

test.for([
  { workersMax: 0, queued: 0, refused: false },
  { workersMax: 0, queued: 50, refused: false },
  { workersMax: 0, queued: 51, refused: true },
  { workersMax: 1, queued: 51, refused: false },
  { workersMax: 1, queued: 500, refused: false },
  { workersMax: 1, queued: 501, refused: true },
  { workersMax: 2, queued: 501, refused: false },
  { workersMax: 2, queued: 1000, refused: false },
  { workersMax: 2, queued: 1001, refused: true },
  { workersMax: 7, queued: 3500, refused: false },
  { workersMax: 7, queued: 3501, refused: true },
])('WorkersMax $workersMax, $queued queued: refused $refused', ({ workersMax, queued, refused }) => {
  expect(refuses(queued, workersMax)).toBe(refused);
});

test('both conditions have to hold, never one alone', () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.nat(30), (queued, workersMax) => {
      const first = queued > limit.value;
      const second = queued > workersMax * limit.perWorker;
      expect(refuses(queued, workersMax)).toBe(first && second);
      expect(refuses(queued, workersMax)).toBe(queued > queueBorder(limit, workersMax));
    }),
  );
});

test('a purge takes exactly the queued jobs, a cancel exactly the unfinished', () => {
  expect(jobStates.filter(specRules.purges)).toEqual(['IN_QUEUE']);
  expect(jobStates.filter(specRules.cancels)).toEqual(['IN_QUEUE', 'IN_PROGRESS']);
});

test('operations are counted by their budget, and all of them require a key', () => {
  for (const { id, budget } of operations) {
    expect(specRules.counter(id, 'rate')).toBe(budget);
    expect(specRules.counter(id, 'concurrency')).toBe(budget);
    expect(specRules.needsKey(id)).toBe(true);
    expect(specRules.freesSlot(id, true) && specRules.freesSlot(id, false)).toBe(true);
    expect(specRules.credential(id, 'Bearer x')).toBe('Bearer x');
    expect(specRules.understood(id, 5)).toBe(5);
    expect(specRules.extraRate(id)).toBeNull();
  }
});

test('nothing is bent: ids, counts, waits and chunks are passed as they are', () => {
  expect(specRules.statusId('a', () => ['b'])).toBe('a');
  expect(specRules.runsyncWait(1234)).toBe(1234);
  expect(specRules.statusSyncWait(1234, 'GET')).toBe(1234);
  for (const state of jobStates) expect(specRules.streamable(5, state)).toBe(5);
  expect(specRules.modelList([{ id: 'x' }])).toEqual({ object: 'list', data: [{ id: 'x' }] });
  expect(specRules.endOfStream).toBe('data: [DONE]\n\n');
});
