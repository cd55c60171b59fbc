import { describe, expect, test } from 'vitest';
import { documentedTable, limitFor, limitsOf, queueBorder } from '../../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import type { EndpointConfig, Profile } from '../../../schemas/target.ts';
import { mostSteps, usualSteps } from '../../k6/lib/queue-state.ts';
import { BYTES_PER_REQUEST } from '../../plan/context.ts';
import { queueRule } from '../../plan/endpoints.ts';
import { contextFor, endpoint, quick } from '../../plan/testing/targets.ts';
import type { PlannedProbe } from '../../plan/types.ts';
import type { QueueParameters } from '../../probe.ts';
import { placeInOrder } from '../../schedule.ts';
import { pacing, queueCandidates, queueCheckIds as queueCheckIdsOf } from './plan.ts';

const queueCheckIds = queueCheckIdsOf(documentedTable);
const rate = limitFor('requests', 'run');
const probesOn = (...endpoints: EndpointConfig[]) =>
  queueCandidates(contextFor(endpoints)).flatMap(({ probe }) => probe ?? []);
const reasons = (...endpoints: EndpointConfig[]) => JSON.stringify(queueCandidates(contextFor(endpoints)));

function parametersOn(one: EndpointConfig): QueueParameters {
  const parameters = probesOn(one)[0]?.parameters;
  if (parameters?.kind !== 'queue') throw new Error('no queue probe');
  return parameters;
}

test('it answers the queue of run and runsync and both questions about purging', () => {
  expect(queueCheckIds).toEqual(
    expect.arrayContaining(['run.queue.guarantee', 'runsync.queue.enforced', PURGE_CLEARS, PURGE_KEEPS_RUNNING]),
  );
  expect(probesOn(endpoint('one', 1))[0]?.checkIds).toEqual(queueCheckIds);
});

test('without workers there is no running job that a purge could leave alone', () => {
  expect(probesOn(endpoint('none', 0))[0]?.checkIds).not.toContain(PURGE_KEEPS_RUNNING);
  const excused = (...endpoints: EndpointConfig[]) =>
    queueCandidates(contextFor(endpoints)).filter(({ checkIds }) => checkIds.includes(PURGE_KEEPS_RUNNING));
  expect(excused(endpoint('none', 0))).toMatchObject([{ missing: { kind: 'not-observable' } }]);
  expect(excused(endpoint('none', 0), endpoint('one', 1)).every(({ probe }) => probe)).toBe(true);
});

test('the two smallest borders are enough, and each is tried once', () => {
  const chosen = probesOn(endpoint('c', 3), endpoint('a', 0), endpoint('b', 1), endpoint('b2', 1));
  expect(chosen.map(({ id }) => id)).toEqual(['queue.a', 'queue.b']);
});

test('nightly tries every border', () => {
  const context = contextFor([endpoint('c', 3), endpoint('a', 0), endpoint('b', 1)], quick, 'nightly');
  const ids = queueCandidates(context).flatMap(({ probe }) => probe?.id ?? []);
  expect(ids).toEqual(['queue.a', 'queue.b', 'queue.c']);
});

test('filling keeps within the rate limit of run, with as little of each window as it needs', () => {
  for (const workersMax of [0, 1, 2, 3, 5]) {
    const { periodMs, perWindow, idleMs } = pacing(workersMax, documentedTable);
    const { border, ...parameters } = parametersOn(endpoint('own', workersMax));
    expect(parameters).toMatchObject({ periodMs, perWindow, idleMs });
    expect(perWindow + workersMax + 5).toBeLessThan(0.95 * (rate?.value ?? 0));
    const windows = Math.ceil(border / (0.9 * (rate?.value ?? 0)));
    expect(perWindow * windows).toBeGreaterThanOrEqual(border);
    expect(perWindow * windows).toBeLessThan(border + 50);
    expect(idleMs).toBeGreaterThan(rate?.windowMs ?? 0);
  }
});

test('a short queue is filled within one share', () => {
  const [short] = probesOn(endpoint('one', 1));
  expect(short?.spends.run).toBeGreaterThanOrEqual(usualSteps(parametersOn(endpoint('one', 1)).border).run + 2);
  expect(short?.spends.run).toBeLessThanOrEqual(0.8 * (rate?.value ?? 0));
});

test('the border is that of the rule', () => {
  for (const workers of [0, 1, 2]) {
    expect(parametersOn(endpoint('e', workers)).border).toBe(queueBorder(queueRule(documentedTable), workers));
  }
});

test('slow jobs outlive the filling and every retry', () => {
  for (const workers of [0, 1, 5]) {
    const { border, perWindow, idleMs, slowJobMs } = parametersOn(endpoint('e', workers));
    expect(slowJobMs).toBeGreaterThan((Math.ceil(border / perWindow) + 3) * idleMs);
  }
});

test('a queue that takes too long to fill is left alone', () => {
  const [candidate] = queueCandidates(contextFor([endpoint('huge', 100)]));
  expect(candidate?.checkIds).toEqual(queueCheckIds);
  const most = Number(/WorkersMax <= (\d+)/.exec(reasons(endpoint('huge', 100)))?.[1]);
  expect(probesOn(endpoint('most', most))).toHaveLength(1);
  expect(probesOn(endpoint('more', most + 1))).toHaveLength(0);
});

test('it needs an endpoint of its own and its WorkersMax', () => {
  expect(reasons(endpoint('shared', 1, false))).toContain('--dedicated');
  expect(reasons(endpoint('unknown', null))).toContain('--workers-max');
});

test('no other probe fills, purges or works on the same endpoint during it', () => {
  const [probe] = probesOn(endpoint('one', 1));
  expect(probe?.exclusive).toEqual(['queue:one', 'workers:one']);
});

const placed = (probes: readonly PlannedProbe[]) =>
  placeInOrder(probes, { placed: [], before: [], table: documentedTable, beganMs: 0 }, 0);

test('the probes of the two smallest borders run side by side: what they spend together stays within every limit', () => {
  const probes = probesOn(endpoint('one', 1), endpoint('none', 0));
  expect(placed(probes).map(({ startMs }) => startMs)).toEqual([0, 0]);
  for (const { budget, value } of limitsOf('requests')) {
    expect(probes.reduce((sum, { spends }) => sum + (spends[budget] ?? 0), 0)).toBeLessThanOrEqual(value);
  }
});

test('two long queues are filled one after the other', () => {
  const context = contextFor([endpoint('two', 2), endpoint('five', 5)], quick, 'nightly');
  const [one, other] = placed(queueCandidates(context).flatMap(({ probe }) => probe ?? []));
  expect(other?.startMs).toBeGreaterThanOrEqual(one?.endMs ?? Infinity);
});

describe('the rows of the truth table that are not tried', () => {
  const reported = (profile: Profile, ...endpoints: EndpointConfig[]) =>
    queueCandidates(contextFor(endpoints, quick, profile)).flatMap(({ checkIds, missing }) =>
      checkIds.includes('run.queue.lengths') && missing ? [missing] : [],
    );

  test('name the WorkersMax that would do it', () => {
    expect(reported('gate', endpoint('none', 0), endpoint('one', 1))).toEqual([
      { kind: 'not-observable', needs: expect.stringMatching(/WorkersMax 2 \(limit \d+\), 5 \(limit \d+\)/) },
    ]);
  });

  test('are skipped where the profile tries fewer, and all are tried by the longest one', () => {
    const all = [0, 1, 2, 5].map((workers) => endpoint(`w${workers}`, workers));
    expect(reported('gate', ...all)).toMatchObject([
      { kind: 'skipped', why: expect.stringMatching(/2 \(.*5 \(.*nightly/) },
    ]);
    expect(reported('nightly', ...all)).toEqual([]);
    expect(queueCandidates(contextFor(all, quick, 'nightly')).flatMap(({ probe }) => probe ?? [])).toHaveLength(4);
  });
});

test('nothing of it takes more than what is announced, however long the queue', () => {
  for (const workers of [0, 1, 5]) {
    const [probe] = probesOn(endpoint('e', workers));
    const { border } = parametersOn(endpoint('e', workers));
    expect(probe?.requests).toBeGreaterThan(mostSteps(border).run + mostSteps(border).runsync);
    expect(probe?.bytes).toBe((probe?.requests ?? 0) * BYTES_PER_REQUEST);
  }
});
