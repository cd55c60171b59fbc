/** Which checks are asked beside the load, and that one that can't be asked keeps nobody waiting. */
import { expect, test } from 'vitest';
import type { TargetConfig } from '../../schemas/target.ts';
import { allChecks } from '../checks/index.ts';
import { beginWaits, parted } from './long-waits.ts';

const remote: TargetConfig = {
  kind: 'remote',
  baseUrl: null,
  jobBaseUrl: 'http://127.0.0.1:1',
  endpoints: [{ instId: 'one', workersMax: 1, dedicated: true }],
  model: null,
};
const itself: TargetConfig = { ...remote, kind: 'reference', jobBaseUrl: null };
const long = allChecks.filter(({ longWait }) => longWait !== undefined);
const credentials = { accessKey: null, jobKey: null, brokeKey: null, otherKey: null };
const { signal } = new AbortController();

test('only a nightly on a real clock runs them later; all run once', () => {
  expect(parted(allChecks, { target: remote, profile: 'nightly' }).later).toEqual(long);
  for (const [target, profile] of [
    [remote, 'gate'],
    [remote, 'smoke'],
    [itself, 'nightly'],
  ] as const) {
    expect(parted(allChecks, { target, profile })).toEqual({ now: allChecks, later: [] });
  }
  const { now, later } = parted(allChecks, { target: remote, profile: 'nightly' });
  expect(now.length + later.length).toBe(allChecks.length);
});

test('each of them waits, and those of one wait have one name', () => {
  expect(long.filter(({ needs }) => !needs?.includes('patience'))).toEqual([]);
  expect(new Set(long.map(({ longWait }) => longWait))).toEqual(new Set(['run', 'runsync']));
});

test('a target that is not there delays no load, and breaks nothing', async () => {
  const waits = beginWaits(long, { target: remote, credentials, profile: 'nightly', runId: 'r', signal });
  waits.loadIsOver();
  await waits.still;
  const { facts } = await waits.done;
  expect(facts.map(({ id }) => id)).toEqual(long.map(({ id }) => id));
  expect(new Set(facts.map(({ outcome }) => outcome.kind))).toEqual(new Set(['inconclusive']));
});

test('where interface B is not given, they say so at once', async () => {
  const target = { ...remote, jobBaseUrl: null, baseUrl: 'http://127.0.0.1:1' };
  const waits = beginWaits(long, { target, credentials, profile: 'nightly', runId: 'r', signal });
  await waits.still;
  const { facts, sent } = await waits.done;
  expect(new Set(facts.map(({ outcome }) => outcome.kind))).toEqual(new Set(['skipped']));
  expect(sent.requests).toBe(0);
});
