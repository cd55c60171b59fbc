/** How a run ends, whatever goes wrong where: the contract and the load are stand-ins here. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CheckFacts } from '../../schemas/facts.ts';
import { type TargetConfig, UsageError } from '../../schemas/target.ts';
import type { Settings } from '../cli/settings.ts';
import type { Host } from '../host.ts';
import { runSession } from './session.ts';

const contract = vi.hoisted(() => ({
  checkWiring: vi.fn(),
  runConformance: vi.fn(),
  beginLongWaits: vi.fn(),
  longestWaitMs: vi.fn(),
  contractDeadlineMs: () => 60_000,
  observeReference: vi.fn(),
}));
const declared = vi.hoisted(() =>
  ['models.a', 'models.b'].map((id) => ({ id, title: id, clauses: [], level: 'documented' as const })),
);
/** How long it waited, ms; nobody waits here. */
const waited = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void waited.push(ms) }));
const presence = vi.hoisted(() => ({
  addressesOf: () => [],
  absenceOf: vi.fn(),
  untilGone: vi.fn(),
}));
vi.mock('./liveness.ts', () => presence);
vi.mock('../../conformance/index.ts', () => ({ ...contract, declaredChecks: () => declared }));

const target: TargetConfig = {
  kind: 'remote',
  baseUrl: 'http://127.0.0.1:1',
  jobBaseUrl: null,
  endpoints: [],
  model: null,
};

let out = '';
beforeEach(() => {
  out = join(mkdtempSync(join(tmpdir(), 'proofload-session-')), 'out');
  vi.resetAllMocks();
  contract.checkWiring.mockResolvedValue({ target: { ...target, model: 'a/b' }, calibration: null });
  contract.observeReference.mockResolvedValue({ facts: [], target });
  contract.longestWaitMs.mockReturnValue(0);
  presence.absenceOf.mockResolvedValue(null);
  presence.untilGone.mockReturnValue(new Promise(() => {}));
});
afterEach(() => rmSync(join(out, '..'), { recursive: true }));

function settings(values: Settings['values'] = {}): Settings {
  const credentials = { accessKey: 'sk-session-key', jobKey: null, brokeKey: null, otherKey: null };
  const history = join(out, '..', 'history.ndjson');
  return { target, credentials, profile: 'gate', only: [], values: { out, history, quiet: true, ...values } };
}

function facts(id: string, holds = true): CheckFacts {
  const declaration = declared.find((one) => one.id === id) ?? declared[0];
  if (!declaration) throw new Error('no declaration');
  const expectations = [{ what: 'w', expected: 'e', observed: 'sk-session-key', holds }];
  return { ...declaration, outcome: { kind: 'ran', expectations }, exchanges: [], durationMs: 1 };
}

function testHost() {
  const text = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => {
    const made = new PassThrough();
    made.on('data', (chunk: Buffer) => {
      text[name] += chunk.toString();
    });
    return made as unknown as NodeJS.WriteStream;
  };
  let crash: (error: Error) => void = () => {};
  const fatal = new Promise<never>((_, reject) => {
    crash = reject;
  });
  fatal.catch(() => {});
  const host: Host = { stdout: stream('stdout'), stderr: stream('stderr'), env: {}, fatal, protect: () => {} };
  return { host, text, crash: (error: Error) => crash(error) };
}

const results = () => JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));

test('a run to its end: report, final block and exit code', async () => {
  contract.runConformance.mockResolvedValue({ declared, facts: [facts('models.a'), facts('models.b')] });
  const { host, text } = testHost();
  expect(await runSession('conformance', settings(), host)).toBe(0);
  expect(results()).toMatchObject({
    complete: true,
    counts: { pass: 2, declared: 2, emitted: 2 },
    target: { model: 'a/b' },
  });
  expect(text.stdout).toContain('report.html');
  expect(text.stderr).toBe('');
});

test('a target that is gone during it ends the run, which says so', async () => {
  let stop: () => void = () => {};
  contract.runConformance.mockImplementation(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        stop = () => resolve({ facts: [facts('models.a')], ...inTime });
        signal.addEventListener('abort', stop);
      }),
  );
  presence.untilGone.mockResolvedValue('the target has been gone since 01:02:03 UTC');
  const { host, text } = testHost();
  expect(await runSession('conformance', settings(), host)).toBe(2);
  expect(results()).toMatchObject({
    complete: false,
    verdict: 'error',
    run: { interrupted: 'the target has been gone since 01:02:03 UTC' },
    counts: { pass: 1, skipped: 1, emitted: 2 },
  });
  expect(text.stdout).toContain('the target has been gone since 01:02:03 UTC');
});

test('so does one that is found gone at the end; a promise that was seen broken stays broken', async () => {
  contract.runConformance.mockResolvedValue({ facts: [facts('models.a', false), facts('models.b')], traffic: nothing });
  presence.absenceOf.mockResolvedValue('the target has been gone since 01:02:03 UTC');
  expect(await runSession('conformance', settings(), testHost().host)).toBe(1);
  expect(results()).toMatchObject({ complete: false, verdict: 'fail' });
});

test('the least that a run can take is the longest that its jobs have to age', async () => {
  contract.runConformance.mockResolvedValue({ declared, facts: [facts('models.a'), facts('models.b')] });
  contract.longestWaitMs.mockReturnValue(90_000);
  await runSession('conformance', settings(), testHost().host);
  expect(results().run.floorMs).toBe(90_000);
});

test('the reference gets the same requests once the target has answered, and its answers are compared', async () => {
  contract.runConformance.mockResolvedValue({ declared, facts: [facts('models.a', false), facts('models.b')] });
  contract.observeReference.mockImplementation(() => {
    expect(contract.runConformance).toHaveBeenCalledOnce();
    return Promise.resolve({ facts: [facts('models.a')], target });
  });
  await runSession('conformance', settings(), testHost().host);
  expect(contract.observeReference.mock.calls[0]?.[0]).toMatchObject({ profile: 'gate', only: [] });
  const [first, second] = results().checks;
  expect(first.reference).toMatchObject({
    verdict: 'pass',
    differences: ['does not keep what the reference keeps: models.a'],
  });
  expect(second.reference).toBeUndefined();
  expect(results().reference).toMatchObject({
    contract: 'asked',
    differences: [{ kind: 'spec', checks: ['models.a'] }],
  });
});

test('a reference that breaks costs nothing but its own column, and the report says so', async () => {
  contract.runConformance.mockResolvedValue({ declared, facts: [facts('models.a'), facts('models.b')] });
  contract.observeReference.mockRejectedValue(new Error('out of tune\nat line 1'));
  const { host, text } = testHost();
  expect(await runSession('conformance', settings(), host)).toBe(0);
  expect(results()).toMatchObject({
    complete: true,
    reference: { contract: 'missing', why: 'the run of the reference failed: out of tune', differences: [] },
  });
  expect(text.stderr).toBe('');
});

const open = (id: string): CheckFacts => ({
  ...facts(id),
  outcome: { kind: 'inconclusive', reason: 'it was late', remedy: 'a quiet machine' },
});
const nothing = { announced: { requests: 5, bytes: 2 }, sent: { requests: 3, bytes: 1 } };
const inTime = { traffic: nothing, lately: [], leftMs: 40_000 };

test('an inconclusive contract check is retried when its limits are unspent, a broken one never', async () => {
  contract.runConformance
    .mockResolvedValueOnce({ facts: [open('models.a'), facts('models.b', false)], ...inTime })
    .mockResolvedValueOnce({ facts: [facts('models.a')], traffic: nothing, lately: [] });
  waited.length = 0;
  const { host } = testHost();
  expect(await runSession('conformance', settings(), host)).toBe(1);
  expect(waited).toEqual([10_000]);
  expect(contract.runConformance).toHaveBeenCalledTimes(2);
  expect(contract.runConformance.mock.calls[1]?.[0]).toMatchObject({ only: ['models.a'] });
  const { checks, run } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
  expect(checks).toMatchObject([{ verdict: 'pass', firstTime: 'it was late' }, { verdict: 'fail' }]);
  expect(run.traffic.contract).toEqual({ announced: { requests: 10, bytes: 4 }, sent: { requests: 6, bytes: 2 } });
});

test('a run that used up most of its time is not retried', async () => {
  contract.runConformance.mockResolvedValue({ facts: [open('models.a'), facts('models.b')], ...inTime, leftMs: 10 });
  const { host } = testHost();
  await runSession('conformance', settings(), host);
  expect(contract.runConformance).toHaveBeenCalledTimes(1);
});

test.each([{ once: true }, { once: false }])(
  '%j: what stays inconclusive says so, and is not retried again',
  async (values) => {
    const facts_ = { facts: [open('models.a'), facts('models.b')], ...inTime };
    contract.runConformance.mockResolvedValue(facts_);
    const { host } = testHost();
    await runSession('conformance', settings(values), host);
    expect(contract.runConformance).toHaveBeenCalledTimes(values.once ? 1 : 2);
    const { checks } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
    expect(checks.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['inconclusive', 'pass']);
  },
);

test('a broken promise is exit 1, and no key is written or said', async () => {
  contract.runConformance.mockResolvedValue({ declared, facts: [facts('models.a', false), facts('models.b')] });
  const { host, text } = testHost();
  expect(await runSession('conformance', settings({ json: true }), host)).toBe(1);
  expect(JSON.parse(text.stdout)).toEqual(results());
  expect(text.stdout + text.stderr + readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('sk-session-key');
});

test('a target that cannot be reached leaves a report that says why, and no good night', async () => {
  contract.checkWiring.mockRejectedValue(new UsageError('--base-url: nobody answers'));
  const { host, text } = testHost();
  await expect(runSession('conformance', settings(), host)).rejects.toThrow('nobody answers');
  expect(results()).toMatchObject({
    complete: false,
    verdict: 'error',
    exitCode: 2,
    run: { interrupted: '--base-url: nobody answers' },
    counts: { skipped: 2, declared: 2 },
  });
  expect(text.stdout).toMatch(/^Report .*report\.html\n$/);
  const history = readFileSync(join(out, '..', 'history.ndjson'), 'utf8')
    .trim()
    .split('\n');
  expect(history.map((line) => JSON.parse(line).complete)).toEqual([false]);
  expect(contract.runConformance).not.toHaveBeenCalled();
});

test('a harness that breaks says so in two lines and still reports', async () => {
  contract.runConformance.mockRejectedValue(new TypeError('boom'));
  const { host, text } = testHost();
  expect(await runSession('conformance', settings(), host)).toBe(2);
  expect(text.stderr.trim().split('\n')).toEqual([expect.stringContaining('TypeError: boom'), expect.any(String)]);
  expect(results()).toMatchObject({ complete: false, verdict: 'error', counts: { error: 2, declared: 2 } });
});

test('so does an uncaught exception', async () => {
  contract.runConformance.mockImplementation(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const { host, text, crash } = testHost();
  const running = runSession('conformance', settings(), host);
  await vi.waitFor(() => expect(contract.runConformance).toHaveBeenCalled());
  crash(new Error('out of nowhere'));
  expect(await running).toBe(2);
  expect(text.stderr).toContain('out of nowhere');
  expect(results().complete).toBe(false);
});

test('an interrupted run keeps what it saw and says who stopped it', async () => {
  contract.runConformance.mockImplementation(async ({ signal }: { signal: AbortSignal }) => {
    process.emit('SIGINT');
    expect(signal.aborted).toBe(true);
    return { declared, facts: [facts('models.a')] };
  });
  expect(await runSession('conformance', settings(), testHost().host)).toBe(130);
  expect(results()).toMatchObject({ complete: false, exitCode: 130, counts: { pass: 1, skipped: 1 } });
});

test('interrupted before anything was checked there is no report', async () => {
  contract.checkWiring.mockImplementation(async ({ signal }: { signal: AbortSignal }) => {
    process.emit('SIGINT');
    signal.throwIfAborted();
  });
  const { host, text } = testHost();
  expect(await runSession('conformance', settings(), host)).toBe(130);
  expect(existsSync(out)).toBe(false);
  expect(text.stderr).toContain('stopped before anything was checked');
});

test('a missing key is noticed before anything is sent', async () => {
  const keyless = { ...settings(), credentials: { accessKey: null, jobKey: null, brokeKey: null, otherKey: null } };
  await expect(runSession('conformance', keyless, testHost().host)).rejects.toThrow('PROOFLOAD_ACCESS_KEY');
  expect(contract.checkWiring).not.toHaveBeenCalled();
});
