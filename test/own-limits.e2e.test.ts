/**
 * An operation and limits that proofload has never heard of, given as in docs/own-limits.md: guarantee, enforcement and
 * value, on a server that keeps them and on some that don't.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { packageRoot } from '../scripts/package.ts';
import { type ExportOptions, serveExport } from './servers/export.ts';
import { cli, type Ended, KEY, serveReference, temporaryDirectory } from './support/cli.ts';
import { readReport } from './support/report.ts';
import { startTroubledProxy } from './support/trouble/proxy.ts';

const document = readFileSync(join(packageRoot(), 'docs', 'own-limits.md'), 'utf8');
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(document) ?? [];
const env = { PROOFLOAD_JOB_KEY: KEY };

let server: { close(): Promise<void> };
afterEach(() => server.close());

interface Outcome {
  readonly ended: Ended;
  readonly results: Results;
  readonly verdicts: Readonly<Record<string, string>>;
  readonly measured: Readonly<Record<string, unknown>>;
  readonly dir: string;
  readonly bodies: ReadonlySet<string>;
}

/** The documentation's example, on a server of ours. */
async function load(kept: ExportOptions, only = 'export.*', more = ''): Promise<Outcome> {
  const exporting = await serveExport(kept);
  server = exporting;
  const config = example.replace('https://jobs.example.com', exporting.url) + more;
  return { ...(await loadWith(config, only, env)), bodies: exporting.bodies };
}

async function loadWith(config: string, only: string, env: Readonly<Record<string, string>>) {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'proofload.yaml'), config);
  const args = ['load', '--config', 'proofload.yaml', '--only', only, '--out', 'out'];
  const ended = await cli(args, { cwd, env });
  const dir = join(cwd, 'out');
  const results = await readReport(dir);
  return {
    ended,
    results,
    verdicts: Object.fromEntries(results.checks.map(({ id, verdict }) => [id, verdict])),
    measured: Object.fromEntries(results.limits.map(({ id, measured }) => [id, measured])),
    dir,
  };
}

const point = (value: number) => ({ lower: value, upper: value });

test('a server that keeps both limits: all is found, and reported as the configuration’s promise', async () => {
  const { ended, results, verdicts, measured, dir, bodies } = await load({ rate: 20, windowMs: 1000, atOnce: 4 });
  expect(verdicts).toEqual({
    'export.rate.guarantee': 'pass',
    'export.rate.enforced': 'pass',
    'export.rate.refusal': 'pass',
    'export.rate.retry-after': 'pass',
    'export.rate.fields': 'observed',
    'export.rate.served': 'pass',
    'export.concurrency.guarantee': 'pass',
    'export.concurrency.enforced': 'pass',
    'export.concurrency.freed': 'pass',
    'export.concurrency.refusal': 'pass',
  });
  expect(measured).toEqual({ 'export.rate': point(20), 'export.concurrency': point(4) });
  expect(ended.code).toBe(0);
  for (const check of results.checks) expect(check.clauses).toEqual([]);
  for (const { promisedBy } of results.limits) expect(promisedBy).toBe('configuration');
  expect(results.limits[0]?.operations).toEqual(['export']);
  const written = (name: string): string => readFileSync(join(dir, name), 'utf8');
  expect(written('report.html')).toContain('20 requests per 1 s (your configuration)');
  expect(written('junit.xml')).toContain('export.concurrency.enforced');
  expect([...bodies]).toContain('{"format":"csv"}');
  const sent = results.run.traffic?.load;
  expect(sent?.sent.requests).toBeGreaterThan(0);
  expect(sent?.sent.requests).toBeLessThanOrEqual(sent?.announced.requests ?? 0);
});

test('one request fewer in a window, and one at once: the guarantees are broken', async () => {
  const { ended, verdicts, measured } = await load({ rate: 19, windowMs: 1000, atOnce: 3 });
  expect(verdicts).toMatchObject({ 'export.rate.guarantee': 'fail', 'export.rate.enforced': 'pass' });
  expect(verdicts).toMatchObject({ 'export.concurrency.guarantee': 'fail', 'export.concurrency.enforced': 'pass' });
  expect(measured).toEqual({ 'export.rate': point(19), 'export.concurrency': point(3) });
  expect(ended.code).toBe(1);
});

test('one more of each: the limits are not enforced where they should be', async () => {
  const { ended, verdicts, measured } = await load({ rate: 21, windowMs: 1000, atOnce: 5 });
  expect(verdicts).toMatchObject({ 'export.rate.guarantee': 'pass', 'export.rate.enforced': 'fail' });
  expect(verdicts).toMatchObject({ 'export.concurrency.guarantee': 'pass', 'export.concurrency.enforced': 'fail' });
  expect(measured).toEqual({ 'export.rate': point(21), 'export.concurrency': point(5) });
  expect(ended.code).toBe(1);
});

test('no limit at all: the rate is found not to be enforced, and of requests at once nothing is claimed', async () => {
  const { ended, verdicts, measured } = await load({ rate: null, windowMs: 1000, atOnce: null });
  expect(verdicts).toMatchObject({ 'export.rate.guarantee': 'pass', 'export.rate.enforced': 'fail' });
  expect(verdicts['export.concurrency.guarantee']).not.toBe('fail');
  expect(verdicts['export.concurrency.enforced']).not.toBe('pass');
  expect(measured['export.rate']).toMatchObject({ upper: null });
  expect(ended.code).toBe(1);
});

test.for([20, 19])('a tenth of a window away, %i a second, and nothing promised on requests at once', async (rate) => {
  const exporting = await serveExport({ rate, windowMs: 1000, atOnce: null });
  const road = await startTroubledProxy(() => exporting.url, { delayMs: 50 });
  server = { close: () => road.close().then(exporting.close) };
  const config = example.replace('https://jobs.example.com', road.url).replace(/^.*concurrent-requests.*\n/m, '');
  const { verdicts, measured } = await loadWith(config, 'export.*', env);
  const guarantee = rate < 20 ? 'fail' : 'pass';
  expect(verdicts).toMatchObject({ 'export.rate.guarantee': guarantee, 'export.rate.enforced': 'pass' });
  expect(measured).toEqual({ 'export.rate': point(rate) });
});

const sizes = (maxBytes: number, more: Partial<ExportOptions> = {}) =>
  load({ rate: 20, windowMs: 1000, atOnce: 4, maxBytes, ...more }, 'export.payload.*', payloadRow);
const payloadRow = '  - { id: export.payload, kind: content-bytes, operations: [export], value: 4000 }\n';
const payloadIds = ['guarantee', 'enforced', 'refusal'].map((aspect) => `export.payload.${aspect}`);

test('the largest body is found to the byte, by its own body made longer, within its rate limit', async () => {
  const { ended, results, verdicts, measured, bodies } = await sizes(4000);
  expect(verdicts).toEqual(Object.fromEntries(payloadIds.map((id) => [id, 'pass'])));
  expect(measured).toEqual({ 'export.payload': point(4000) });
  expect(ended.code).toBe(0);
  expect([...bodies]).toEqual(['{"format":"csv"}']);
  // This server answers a body that it has read to its end.
  for (const { observed } of results.checks) expect(observed).not.toContain('before its end');
  expect(results.limits.map(({ promisedBy, operations }) => [promisedBy, operations])).toEqual([
    ['configuration', ['export']],
  ]);
  const sent = results.run.traffic?.load;
  expect(sent?.sent.requests).toBeGreaterThan(0);
  expect(sent?.sent.requests).toBeLessThanOrEqual(sent?.announced.requests ?? 0);
});

test.for([
  [3999, { guarantee: 'fail', enforced: 'pass' }, point(3999)],
  [4001, { guarantee: 'pass', enforced: 'fail' }, point(4001)],
  [Infinity, { guarantee: 'pass', enforced: 'fail' }, { lower: 8000, upper: null }],
] as const)('one that takes %s bytes is found out', async ([maxBytes, reported, found]) => {
  const { ended, verdicts, measured } = await sizes(maxBytes, maxBytes === Infinity ? {} : { rate: null });
  const expected = Object.entries(reported).map(([aspect, verdict]) => [`export.payload.${aspect}`, verdict]);
  expect(verdicts).toMatchObject(Object.fromEntries(expected));
  expect(measured).toEqual({ 'export.payload': found });
  expect(ended.code).toBe(1);
});

const goals = (takesMs: number) =>
  load(
    { rate: 20, windowMs: 1000, atOnce: 4, takesMs },
    '{export.rate,goal.export}.*',
    'goals:\n  export: { p50: 80ms, p99: 60s }\n',
  );

test('a goal on an operation of its own is held against its paced load', async () => {
  const kept = await goals(0);
  expect(kept.verdicts).toMatchObject({ 'goal.export.p50': 'pass', 'export.rate.guarantee': 'pass' });
  expect(kept.verdicts['goal.export.p99']).toBe('inconclusive');
  expect(kept.results.checks.find(({ id }) => id === 'goal.export.p99')?.reason).toContain('needs 100 requests');
  expect(kept.ended.code).toBe(0);
});

test('one that is missed fails the run', async () => {
  const missed = await goals(120);
  expect(missed.verdicts).toMatchObject({ 'goal.export.p50': 'fail' });
  expect(missed.ended.code).toBe(1);
});

test('what it costs is announced before', async () => {
  server = await serveExport({ rate: 20, windowMs: 1000, atOnce: 4 });
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'proofload.yaml'), example);
  const { code, stdout } = await cli(['plan', '--config', 'proofload.yaml', '--only', 'export.*'], { cwd, env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/export\.rate +\d/);
  expect(stdout).toContain('budget:export');
  expect(stdout).toContain('10 checks, 2 probes');
});

test('about a job, on interface A, and with another value for a limit of the spec: as the reference keeps them', async () => {
  const kept = ['limits.status.rate=15', 'windows.status.rate=1000', 'limits.inference.concurrency=5'];
  const changed = ['limits.cancel.rate=12', 'windows.cancel.rate=1000'];
  const served = await serveReference([...kept, ...changed].flatMap((one) => ['--set', one]));
  server = { close: served.stop };
  const config = `${served.config}operations:
  peek: { method: [GET, POST], path: '/api/v1/sl/{inst_id}/status/{job_id}' }
  talk:
    method: POST
    path: /v1/chat/completions
    body: { model: acme/base-70b, messages: [{ role: user, content: hello }], max_tokens: 1 }
limits:
  - { id: peek.rate, kind: requests, operations: [peek], value: 15, window: 1s }
  - { id: talk.concurrency, kind: concurrent-requests, operations: [talk], value: 5 }
  - { id: cancel.rate, value: 12, window: 1s }
`;
  const only = '{peek.rate,talk.concurrency,cancel.rate}.{guarantee,enforced}';
  const { verdicts, measured, results } = await loadWith(config, only, served.env);
  expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'pass')).toEqual([]);
  expect(Object.keys(verdicts)).toHaveLength(6);
  expect(measured).toEqual({ 'cancel.rate': point(12), 'peek.rate': point(15), 'talk.concurrency': point(5) });
  expect(results.limits.map(({ promisedBy }) => promisedBy)).toEqual(Array(3).fill('configuration'));
  expect(results.checks.flatMap(({ clauses }) => clauses)).toEqual([]);
  // What else is asked meanwhile takes a slot of the same limit, and excuses no refusal.
  const more = await loadWith(config.replace('value: 5 }', 'value: 6 }'), 'talk.concurrency.guarantee', served.env);
  expect(more.verdicts).toEqual({ 'talk.concurrency.guarantee': 'fail' });
});
