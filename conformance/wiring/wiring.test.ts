/** What an operator reads when something is set up wrongly: what to change, and never a key. */
import { expect, test } from 'vitest';
import type { TargetConfig } from '../../schemas/target.ts';
import { UsageError } from '../../schemas/target.ts';
import { openReference } from '../target/in-process.ts';
import { type Fake, fakeConfig, json, openFake } from '../testing/fake-dispatcher.ts';
import { wireInference } from './inference.ts';
import { wireJobs } from './jobs.ts';
import { checkWiring } from './wiring.ts';

const { signal } = new AbortController();
const MODELS = { data: [{ id: 'acme/base-70b' }, { id: 'acme/other' }] };
const CHOICES = { choices: [{ message: { content: 'x' } }] };
const HEALTH = { workers: { idle: 1 } };

async function complaint(wire: typeof wireInference | typeof wireJobs, fake: Fake, config: TargetConfig = fakeConfig) {
  const error = await wire(openFake(fake, config), signal).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).not.toMatch(/fake-(access|job|broke)-key/);
  expect(message.split('\n').length).toBeLessThanOrEqual(2);
  return message;
}

const sane: Fake = ({ path }) => {
  if (path === '/v1/models') return json(200, MODELS);
  if (path.startsWith('/v1/')) return json(200, CHOICES);
  return json(200, path.endsWith('/health') ? HEALTH : { status: 'COMPLETED', output: 'proofload' });
};

test('a sane service is wired: model and times are filled in', async () => {
  const inference = await wireInference(openFake(sane, { ...fakeConfig, model: null }), signal);
  expect(inference).toMatchObject({ model: 'acme/base-70b' });
  expect(inference.chatMs).not.toBeNull();
  expect(await wireJobs(openFake(sane), signal)).toMatchObject({ quickJobMs: expect.any(Number) as number });
});

test('the reference is wired', async () => {
  const target = openReference();
  expect(await wireInference(target, signal)).toMatchObject({ model: target.config.model });
  expect((await wireJobs(target, signal)).quickJobMs).not.toBeNull();
});

test.each([401, 403])('refused credentials (%i) name the variable', async (status) => {
  const refusing: Fake = () => json(status, { error: 'fake-access-key is no good' });
  expect(await complaint(wireInference, refusing)).toMatch(/rejected the key .*PROOFLOAD_ACCESS_KEY/);
  expect(await complaint(wireJobs, refusing)).toMatch(/rejected the key .*PROOFLOAD_JOB_KEY/);
});

test('an account without balance is reported', async () => {
  const broke: Fake = (request) => (request.path === '/v1/models' ? sane(request) : json(402, { error: 'pay' }));
  expect(await complaint(wireInference, broke)).toMatch(/no balance/);
});

test('an unknown instance names --inst-id', async () => {
  expect(await complaint(wireJobs, () => json(404, { error: 'endpoint not found' }))).toMatch(/inst-1 .*--inst-id/);
});

const notThere = json(404, { error: { message: 'The model does not exist' } });

test('no model, and a model that is not listed, name --model', async () => {
  const empty: Fake = () => json(200, { data: {} });
  expect(await complaint(wireInference, empty, { ...fakeConfig, model: null })).toMatch(/no model .*--model/);
  for (const refusal of [notThere, json(400, {}), json(500, {})]) {
    const strict: Fake = (request) => (request.text.includes('acme/typo') ? refusal : sane(request));
    const wrong = await complaint(wireInference, strict, { ...fakeConfig, model: 'acme/typo' });
    expect(wrong).toMatch(/acme\/typo .*--model to one of: acme\/base-70b, acme\/other/);
  }
});

test('an empty list is a fault of the service: the run goes on without a model', async () => {
  const none: Fake = (request) => (request.path === '/v1/models' ? json(200, { data: [] }) : notThere);
  const target = openFake(none, { ...fakeConfig, model: null });
  expect(await wireInference(target, signal)).toMatchObject({ model: '', chatMs: null });
});

test('a model that is not listed will do where it completes, as aliases may', async () => {
  const target = openFake(sane, { ...fakeConfig, model: 'acme/latest' });
  expect(await wireInference(target, signal)).toMatchObject({ model: 'acme/latest', takesMaxTokens: true });
});

test.each([400, 422])('where a field that is not documented is refused with %i, it is left off', async (status) => {
  const strict: Fake = (request) => (request.text.includes('max_tokens') ? json(status, {}) : sane(request));
  expect(await wireInference(openFake(strict), signal)).toMatchObject({
    takesMaxTokens: false,
    chatMs: expect.any(Number) as number,
  });
  const noList: Fake = (request) => (request.path === '/v1/models' ? json(500, {}) : strict(request));
  expect(await wireInference(openFake(noList), signal)).toMatchObject({ takesMaxTokens: false });
  const wired = await wireInference(
    openFake(() => json(status, {}), { ...fakeConfig }),
    signal,
  ).catch(String);
  expect(wired).toMatch(/not interface A/);
});

test('a model that was named, is not listed and that chat does not know names --model', async () => {
  const unknown: Fake = ({ path }) => (path === '/v1/models' ? json(200, { data: [] }) : notThere);
  expect(await complaint(wireInference, unknown)).toMatch(/unknown .*--model/);
});

test('a listed model that chat does not take is the fault of the service: the next is tried, or the run goes on', async () => {
  const tried: string[] = [];
  const asks =
    (taken: string | null): Fake =>
    (request) => {
      if (request.path !== '/v1/chat/completions') return sane(request);
      tried.push(/"model":"([^"]+)"/.exec(request.text)?.[1] ?? '');
      return taken !== null && request.text.includes(taken) ? sane(request) : notThere;
    };
  const unnamed = { ...fakeConfig, model: null };
  const second = await wireInference(openFake(asks('acme/other'), unnamed), signal);
  expect(second).toMatchObject({ model: 'acme/other', chatMs: expect.any(Number) as number });
  expect(await wireInference(openFake(asks(null), unnamed), signal)).toMatchObject({
    model: 'acme/base-70b',
    chatMs: null,
  });
  expect(tried).toEqual(['acme/base-70b', 'acme/other', 'acme/base-70b', 'acme/other']);
  expect(await wireInference(openFake(asks(null)), signal)).toMatchObject({ model: 'acme/base-70b', chatMs: null });
});

test('a chat without a response is the fault of the service where its models are listed: the run goes on', async () => {
  const silent: Fake = (request) =>
    request.path === '/v1/chat/completions' ? new Promise<never>(() => {}) : sane(request);
  expect(await wireInference(openFake(silent), signal)).toMatchObject({ model: 'acme/base-70b', chatMs: null });
});

const others: Readonly<Record<string, Fake>> = {
  'a page': () => ({ status: 200, headers: {}, body: '<html>' }),
  'a breakdown': () => json(500, {}),
  'a redirect': () => ({ status: 301, headers: { location: 'http://x.local/' }, body: '' }),
};

test.each(Object.keys(others))('%s is neither interface', async (name) => {
  const fake = others[name] ?? sane;
  expect(await complaint(wireInference, fake)).toMatch(/is not interface A: .*\n.*--base-url/);
  expect(await complaint(wireJobs, fake)).toMatch(/is not interface B: .*\n.*--job-base-url/);
});

test('a service that answers everything with an empty object is neither', async () => {
  const nothing: Fake = () => json(200, {});
  expect(await complaint(wireInference, nothing, { ...fakeConfig, model: null })).toMatch(/--model/);
  expect(await complaint(wireInference, nothing)).toMatch(/is not interface A/);
  expect(await complaint(wireJobs, nothing)).toMatch(/is not interface B/);
});

test.each(['GET', 'POST'])(
  'a service whose list or health alone is broken is still wired, by %s status',
  async (by) => {
    const broken: Fake = (request) => {
      const { path, method } = request;
      if (path === '/v1/models' || path.endsWith('/health')) return json(500, { error: 'broken' });
      if (path.endsWith('/run')) return json(200, { id: 'job-1', status: 'IN_QUEUE' });
      if (path.endsWith('/status/job-1') && method === by) return json(200, { id: 'job-1', status: 'COMPLETED' });
      if (path.includes('/status/')) return json(405, { detail: 'Method Not Allowed' });
      return sane(request);
    };
    expect(await wireInference(openFake(broken), signal)).toMatchObject({ model: 'acme/base-70b' });
    expect(await wireJobs(openFake(broken), signal)).toMatchObject({ quickJobMs: expect.any(Number) as number });
    const unnamed = { ...fakeConfig, model: null };
    expect(await complaint(wireInference, broken, unnamed)).toMatch(/GET models did not succeed: .*--model/s);
  },
);

test.each<[string, Fake, boolean]>([
  ['a JSON error', () => json(400, { error: { message: 'model is required' } }), true],
  ['a page', () => ({ ...json(400, {}), body: '<h1>Bad Request</h1>' }), false],
  ['an unknown path', () => notThere, false],
  ['anything', () => json(200, {}), false],
])('without a list and a model, %s to an empty chat decides whether it is interface A', async (_, chat, isThere) => {
  const broken: Fake = (request) => (request.path === '/v1/models' ? json(500, {}) : chat(request));
  const unnamed = { ...fakeConfig, model: null };
  if (isThere)
    expect(await wireInference(openFake(broken, unnamed), signal)).toMatchObject({ model: '', chatMs: null });
  else expect(await complaint(wireInference, broken, unnamed)).toMatch(/GET models did not succeed: .*--model/s);
});

test('an address without a listener is reported with its option', async () => {
  const config = { ...fakeConfig, baseUrl: 'http://127.0.0.1:9', jobBaseUrl: null };
  const wiring = checkWiring({
    target: config,
    credentials: { accessKey: null, jobKey: null, brokeKey: null, otherKey: null },
    runId: 'run-1',
    signal,
  });
  await expect(wiring).rejects.toThrow(/does not answer at http:\/\/127\.0\.0\.1:9: .*--base-url/);
});

test('a job that gives no result leaves its time unknown, since the checks will say why', async () => {
  const stuck: Fake = (request) =>
    request.path.endsWith('/runsync') ? json(200, { status: 'IN_QUEUE' }) : sane(request);
  expect(await wireJobs(openFake(stuck), signal)).toMatchObject({ quickJobMs: null });
});

test('the whole wiring of a target, in-process', async () => {
  const config: TargetConfig = { kind: 'reference', baseUrl: null, jobBaseUrl: null, endpoints: [], model: null };
  const wired = await checkWiring({
    target: config,
    credentials: { accessKey: null, jobKey: null, brokeKey: null, otherKey: null },
    runId: 'run-1',
    signal,
  });
  expect(wired.target.model).toBe('acme/base-70b');
  expect(wired.calibration.quickJobMs).not.toBeNull();
});

test('each request names the run, as a job of the target', async () => {
  const requested: string[] = [];
  const listening: Fake = (request) => {
    if (request.text !== '') requested.push(request.text);
    return sane(request);
  };
  await wireInference(openFake(listening), signal);
  await wireJobs(openFake(listening, { ...fakeConfig, workloads: { quick: { say: '{{echo}}' } } }), signal);
  expect(requested.length).toBeGreaterThan(3);
  for (const text of requested) expect(text).toContain('local');
  const without = '{"proofload":"local"}';
  expect(requested.slice(-3)).toEqual(['{"input":{"say":"proofload local"}}', without, without]);
});

test('a target without a quick workload is wired without a job', async () => {
  const paths: string[] = [];
  const listening: Fake = (request) => {
    paths.push(request.path);
    return sane(request);
  };
  const target = openFake(listening, { ...fakeConfig, workloads: { quick: null } });
  expect(await wireJobs(target, signal)).toMatchObject({ quickJobMs: null });
  expect(paths.every((path) => path.endsWith('/health'))).toBe(true);
});
