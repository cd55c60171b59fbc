/** Long waits beside the load: in which order things begin, and that nothing is lost whichever of them goes wrong. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { planLoad } from '../../scenarios/index.ts';
import type { CheckFacts } from '../../schemas/facts.ts';
import type { TargetConfig } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { runSession } from './session.ts';

const mocked = vi.hoisted(() => ({
  runConformance: vi.fn(),
  beginLongWaits: vi.fn(),
  observeReference: vi.fn(),
  prepare: vi.fn(),
  runLoad: vi.fn(),
}));
const declared = vi.hoisted(() =>
  ['run.a', 'run.retention.b', 'status.c'].map((id) => ({ id, title: id, clauses: [], level: 'documented' as const })),
);
vi.mock('../../conformance/index.ts', () => ({
  ...mocked,
  declaredChecks: () => declared,
  longestWaitMs: () => 0,
  contractDeadlineMs: () => 60_000,
}));
vi.mock('./prepare.ts', () => ({ prepare: mocked.prepare }));
vi.mock(import('../../scenarios/index.ts'), async (original) => ({ ...(await original()), runLoad: mocked.runLoad }));

const credentials = { accessKey: 'key', jobKey: 'key', brokeKey: null, otherKey: null };
const target: TargetConfig = { kind: 'remote', baseUrl: 'http://x', jobBaseUrl: null, endpoints: [], model: null };
const nothing = { requests: 0, bytes: 0 };

let out = '';
let events: string[] = [];
beforeEach(() => {
  out = join(mkdtempSync(join(tmpdir(), 'proofload-waits-')), 'out');
  events = [];
  vi.resetAllMocks();
  const plan = planLoad({ target, profile: 'nightly', only: ['run.rate.*'], calibration: null });
  const k6 = { path: 'k6', version: '2', how: 'made up' };
  mocked.prepare.mockResolvedValue({ target, credentials, load: { plan, k6 } });
  mocked.observeReference.mockResolvedValue({ facts: [], target });
  mocked.runConformance.mockImplementation(async () => {
    events.push('contract');
    return {
      declared,
      facts: [facts('run.a'), facts('status.c')],
      traffic: { announced: nothing, sent: nothing },
      lately: [],
    };
  });
  mocked.runLoad.mockImplementation(async () => {
    events.push('load');
    return [];
  });
});
afterEach(() => rmSync(join(out, '..'), { recursive: true }));

function facts(id: string): CheckFacts {
  const expectations = [{ what: 'w', expected: 'e', observed: 'o', holds: true }];
  return {
    id,
    title: id,
    clauses: [],
    level: 'documented',
    outcome: { kind: 'ran', expectations },
    exchanges: [],
    durationMs: 1,
  };
}

/** Jobs that are submitted a moment after they are asked for, and looked at when the load is over. */
function waits(done: () => Promise<unknown>) {
  mocked.beginLongWaits.mockImplementation(() => {
    let open = (): void => {};
    const over = new Promise<void>((resolve) => {
      open = resolve;
    });
    const still = new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void events.push('submitted'));
    const ended = over.then(() => {
      events.push('looked');
      return done();
    });
    ended.catch(() => {});
    return { still, loadIsOver: () => open(), done: ended };
  });
}

const stream = () => new PassThrough().resume() as unknown as NodeJS.WriteStream;
const host = (): Host => ({
  stdout: stream(),
  stderr: stream(),
  env: {},
  fatal: new Promise<never>(() => {}),
  protect: () => {},
});
const settings: () => Settings = () => ({
  target,
  credentials,
  profile: 'nightly',
  only: [],
  values: { out, history: join(out, '..', 'history.ndjson'), quiet: true },
});
const results = () => JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));

test('jobs are submitted after the contract and before the load, and polled when that is over', async () => {
  waits(async () => ({ facts: [facts('run.retention.b')], announced: nothing, sent: nothing }));
  await runSession('verify', settings(), host());
  expect(events).toEqual(['contract', 'submitted', 'load', 'looked']);
  const own = results().checks.filter(({ id }: { id: string }) => declared.some((one) => one.id === id));
  expect(own.map(({ id, verdict }: Record<string, string>) => [id, verdict])).toEqual([
    ['run.a', 'pass'],
    ['run.retention.b', 'pass'],
    ['status.c', 'pass'],
  ]);
});

test('a fault of the waits is reported, and what the load saw stands', async () => {
  waits(() => Promise.reject(new TypeError('boom')));
  expect(await runSession('verify', settings(), host())).toBe(2);
  expect(events).toContain('load');
  expect(results()).toMatchObject({ complete: false, verdict: 'error' });
});

test('a fault of the load lets the waits go on to their end, so that nothing hangs', async () => {
  waits(async () => ({ facts: [], announced: nothing, sent: nothing }));
  mocked.runLoad.mockRejectedValue(new TypeError('boom'));
  expect(await runSession('verify', settings(), host())).toBe(2);
  expect(events).toContain('looked');
});

test('where nothing has to wait, nothing does', async () => {
  mocked.beginLongWaits.mockReturnValue(null);
  await runSession('verify', settings(), host());
  expect(events).toEqual(['contract', 'load']);
});
