import { expect, test } from 'vitest';
import { documentedTable, limitFor, queueBorder } from '../../schemas/limits.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import type { EndpointConfig } from '../../schemas/target.ts';
import type { QueueParameters } from '../probe.ts';
import { queueRule } from './endpoints.ts';
import { fillPeriodMs, queueCandidates, queueCheckIds as queueCheckIdsOf } from './queue.ts';
import { contextFor, endpoint, quick } from './testing/targets.ts';

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
  const [, excuse] = queueCandidates(contextFor([endpoint('none', 0)]));
  expect(excuse).toMatchObject({ checkIds: [PURGE_KEEPS_RUNNING], missing: { kind: 'not-observable' } });
  expect(queueCandidates(contextFor([endpoint('none', 0), endpoint('one', 1)])).every(({ probe }) => probe)).toBe(true);
});

test('the two smallest borders are enough, and each is tried once', () => {
  const chosen = probesOn(endpoint('c', 3), endpoint('a', 0), endpoint('b', 1), endpoint('b2', 1));
  expect(chosen.map(({ id }) => id)).toEqual(['queue.a', 'queue.b']);
});

test('nightly tries every border', () => {
  const context = contextFor([endpoint('c', 3), endpoint('a', 0), endpoint('b', 1)], quick, 'nightly');
  expect(queueCandidates(context).map(({ probe }) => probe?.id)).toEqual(['queue.a', 'queue.b', 'queue.c']);
});

test('filling keeps within the rate limit of run', () => {
  expect((rate?.value ?? 0) * fillPeriodMs(documentedTable)).toBeGreaterThan(1.1 * (rate?.windowMs ?? 0));
  expect(parametersOn(endpoint('one', 1)).periodMs).toBe(fillPeriodMs(documentedTable));
});

test('the border is that of the rule', () => {
  for (const workers of [0, 1, 2]) {
    expect(parametersOn(endpoint('e', workers)).border).toBe(queueBorder(queueRule(documentedTable), workers));
  }
});

test('slow jobs outlive the filling and every retry', () => {
  for (const workers of [0, 1, 5]) {
    const { border, periodMs, idleMs, slowJobMs } = parametersOn(endpoint('e', workers));
    expect(idleMs).toBeGreaterThan(rate?.windowMs ?? 0);
    expect(slowJobMs).toBeGreaterThan(border * periodMs + 3 * idleMs);
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

test('nobody else purges, fills or works meanwhile', () => {
  const [probe] = probesOn(endpoint('one', 1));
  expect(probe?.exclusive).toEqual(['budget:purge-queue', 'queue:one', 'workers:one']);
  expect(probe?.shared).toEqual(['budget:run', 'budget:runsync', 'budget:status', 'budget:cancel']);
});
