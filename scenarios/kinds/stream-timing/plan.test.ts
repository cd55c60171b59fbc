/** How many streams are read, on which endpoint, and when none are. */
import { expect, test } from 'vitest';
import type { Goal } from '../../../schemas/goals.ts';
import { planLoad } from '../../plan/index.ts';
import { contextFor, endpoint, quick, usual } from '../../plan/testing/targets.ts';
import type { Candidate } from '../../plan/types.ts';
import { chatTimingCandidate, resultTimingCandidate } from './index.ts';

const context = contextFor([endpoint('big', 3)]);
const goal = (operation: 'chat' | 'stream' | 'run', changes: Partial<Goal> = {}): Goal => ({
  operation,
  measure: 'first-token',
  percentile: 'p95',
  ms: 100,
  ...changes,
});
const streams = ({ probe }: Candidate) => (probe?.parameters.kind === 'stream-timing' ? probe.parameters.streams : 0);

test('a few of each, all announced', () => {
  const [chat, results] = [chatTimingCandidate(context), resultTimingCandidate(context)];
  expect([streams(chat), streams(results)]).toEqual([5, 5]);
  expect(chat.probe).toMatchObject({ requests: 5, spends: {}, shared: ['budget:inference'] });
  const { parameters, requests = 0, spends } = results.probe ?? {};
  if (parameters?.kind !== 'stream-timing') throw new Error('no probe');
  expect(requests).toBe(5 * (1 + parameters.readsMost));
  expect((spends?.run ?? 0) + (spends?.status ?? 0)).toBe(requests);
});

test.each<[Partial<Goal>, number]>([
  [{}, 20],
  [{ percentile: 'p50' }, 5],
  [{ percentile: 'p99' }, 100],
  [{ percentile: 'max' }, 5],
  [{ measure: 'between-tokens', percentile: 'p99' }, 5],
  [{ measure: 'latency', percentile: 'p99' }, 5],
])('a goal of %j takes %i streams', (changes, count) => {
  const goals = [goal('chat', changes)];
  expect(streams(chatTimingCandidate({ ...context, goals }))).toBe(count);
  expect(streams(resultTimingCandidate({ ...context, goals }))).toBe(5);
});

test('jobs that never run, or whose handler streams nothing, are not awaited', () => {
  expect(resultTimingCandidate(contextFor([endpoint('none', 0)])).missing).toMatchObject({ kind: 'not-observable' });
  expect(resultTimingCandidate(contextFor([])).missing).toMatchObject({ kind: 'skipped', by: 'target' });
  const target = { ...context.target, workloads: { streaming: null } };
  expect(resultTimingCandidate({ ...context, target }).missing).toMatchObject({ kind: 'skipped', by: 'configuration' });
});

test('smoke leaves them out, and so does a selection without them', () => {
  const ids = (profile: 'smoke' | 'gate', only: readonly string[] = []) =>
    planLoad({ target: usual, profile, only, calibration: quick }).probes.map(({ id }) => id);
  expect(ids('gate')).toEqual(expect.arrayContaining(['chat.stream-timing', 'stream.timing']));
  expect(ids('smoke').filter((id) => /timing/.test(id))).toEqual([]);
  expect(ids('gate', ['chat.*'])).toEqual(['chat.stream-timing']);
});
