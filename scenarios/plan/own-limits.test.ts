/** Rows of a configuration are planned like any other: announced, attributed, kept apart, and closed by what closes others. */
import { expect, test } from 'vitest';
import { type Limit, OWN_SECTION } from '../../schemas/limits.ts';
import type { OwnName } from '../../schemas/operations.ts';
import { isOwnName, type OwnOperation } from '../../schemas/own.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import { outgoing } from '../execute/requests.ts';
import { planLoad } from './index.ts';
import { quick, usual } from './testing/targets.ts';

function named(name: string): OwnName {
  if (isOwnName(name)) return name;
  throw new Error(`${name} is no name of one's own`);
}

const operation = (name: string, path: string, side: OwnOperation['interface'] = 'jobs'): OwnOperation => ({
  id: named(name),
  interface: side,
  methods: ['POST'],
  path,
  budget: named(name),
  body: { format: 'csv' },
});

const rate = (name: string, value: number): Limit => ({
  id: `${name}.rate`,
  kind: 'requests',
  budget: named(name),
  operations: [named(name)],
  value,
  windowMs: 1000,
  section: OWN_SECTION,
});

const atOnce = (name: string, value: number): Limit => ({
  id: `${name}.concurrency`,
  kind: 'concurrent-requests',
  budget: named(name),
  operations: [named(name)],
  value,
  per: 'endpoint',
  section: OWN_SECTION,
});

const size = (name: string, value: number): Limit => ({
  id: `${name}.payload`,
  kind: 'content-bytes',
  budget: named(name),
  operations: [named(name)],
  value,
  upperReading: value,
  section: OWN_SECTION,
});

const target: TargetConfig = {
  ...usual,
  operations: [
    operation('export', '/api/v1/sl/{inst_id}/export'),
    operation('explain', '/api/v1/sl/{inst_id}/explain/{job_id}'),
    operation('embeddings', '/v1/embeddings', 'inference'),
  ],
  limits: [
    rate('export', 50),
    atOnce('export', 5),
    rate('explain', 40),
    rate('embeddings', 30),
    atOnce('embeddings', 3),
    size('export', 4000),
    size('embeddings', 9000),
  ],
};

const planned = (only: readonly string[], about: TargetConfig = target) =>
  planLoad({ target: about, profile: 'gate', only, calibration: quick });

const probeOf = (id: string) => {
  const probe = planned([]).probes.find((one) => one.id === id);
  if (!probe) throw new Error(`no probe ${id}`);
  return probe;
};

test('each row has its probe, and its checks are declared', () => {
  const plan = planned(['{export,explain,embeddings}.*']);
  expect(plan.probes.map(({ id }) => id).sort()).toEqual(target.limits?.map(({ id }) => id).sort());
  expect(plan.unobservable).toEqual([]);
  expect(plan.declared.map(({ id }) => id)).toContain('export.concurrency.freed');
  expect(plan.requests).toBeGreaterThan(0);
});

test('its limit is spent and kept exclusive', () => {
  const probe = probeOf('export.rate');
  expect(probe.exclusive).toContain('budget:export');
  expect(probe.spends[named('export')]).toBeGreaterThan(50);
  expect(probe.parameters).toMatchObject({ operation: 'export', siblings: [], limit: 50, windowMs: 1000, vus: 2 });
});

test('the probe of requests at once knows the rate limit of the operation', () => {
  expect(probeOf('export.concurrency').parameters).toMatchObject({ limit: 5, rateLimit: 50, operations: ['export'] });
});

test('bodies of growing size keep within its rate limit, and need no job', () => {
  const { parameters, spends, requests, bytes, shared, sender } = probeOf('export.payload');
  if (parameters.kind !== 'payload') throw new Error('a probe of another kind');
  const { acceptBytes, refuseBytes, floorBytes, apartMs = 0 } = parameters;
  expect({ acceptBytes, refuseBytes, floorBytes }).toEqual({ acceptBytes: 4000, refuseBytes: 4001, floorBytes: 16 });
  expect(1000 / apartMs).toBeLessThan(50);
  expect(spends[named('export')]).toBeLessThanOrEqual(50);
  expect(bytes).toBeGreaterThan(requests * parameters.capBytes);
  expect({ shared, sender }).toEqual({ shared: ['budget:export'], sender: 'held' });
  expect(parameters).toMatchObject({ followsUp: false, method: 'POST' });
  expect(probeOf('embeddings.payload').parameters).toMatchObject({ instId: '' });
  expect(
    planned(['run.payload.refused-job'])
      .probes.map((one) => JSON.stringify(one))
      .join(),
  ).not.toContain('export');
});

test('one about a job spends no other budget: it is about jobs that are known', () => {
  expect(Object.keys(probeOf('explain.rate').spends)).toEqual(['explain']);
});

test('on interface A no endpoint is needed, and requests for models are announced', () => {
  expect(probeOf('embeddings.rate').parameters).toMatchObject({ instId: '' });
  expect(probeOf('embeddings.rate').shared).toContain('budget:inference');
  const { inference = 0 } = probeOf('embeddings.concurrency').spends;
  expect(inference).toBeGreaterThan(0);
  const inferenceOnly: TargetConfig = { ...target, jobBaseUrl: null, endpoints: [] };
  const plan = planned(['{export,embeddings}.rate.guarantee'], inferenceOnly);
  expect(plan.probes.map(({ id }) => id)).toEqual(['embeddings.rate']);
  expect(JSON.stringify(plan.unobservable)).toContain('--job-base-url');
});

test('another value in place of the spec’s changes the probe and nothing else', () => {
  const row = planned([]).table.find('requests', 'cancel');
  if (!row) throw new Error('the spec has a rate limit of cancel');
  const plan = planned([], { ...usual, limits: [{ ...row, value: row.value * 2, section: OWN_SECTION }] });
  const before = planned([], usual);
  expect(plan.declared.map(({ id }) => id)).toEqual(before.declared.map(({ id }) => id));
  expect(plan.probes.find(({ id }) => id === row.id)?.parameters).toMatchObject({ limit: row.value * 2 });
});

test('a value that this target cannot show says what it needs', () => {
  const row = planned([]).table.find('requests', 'run');
  if (!row) throw new Error('the spec has a rate limit of run');
  const plan = planned(['run.rate.*'], { ...usual, limits: [{ ...row, value: row.value * 2, section: OWN_SECTION }] });
  expect(plan.probes).toEqual([]);
  expect(JSON.stringify(plan.unobservable)).toContain('WorkersMax');
});

test('its requests are built from what stands in the addresses', () => {
  const addresses = { baseUrl: 'http://a', jobBaseUrl: 'http://b', model: null, instId: 'i 1', runId: 'r' };
  const own = { ...addresses, operations: target.operations ?? [] };
  expect(outgoing(own, named('explain'), { jobId: 'j' })).toEqual({
    operation: 'explain',
    method: 'POST',
    url: 'http://b/api/v1/sl/i%201/explain/j',
    body: '{"format":"csv"}',
    jobId: 'j',
  });
  expect(outgoing(own, named('embeddings')).url).toBe('http://a/v1/embeddings');
  expect(outgoing(own, named('embeddings'), { method: 'GET' }).body).toBeNull();
  expect(() => outgoing(addresses, named('export'))).toThrow("no operation 'export'");
});
