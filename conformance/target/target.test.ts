import { expect, test } from 'vitest';
import { type FakeRequest, fakeConfig, json, openFake } from '../testing/fake-dispatcher.ts';
import { KeptConnectionClosed } from './connections.ts';
import { Evidence } from './evidence.ts';
import { InferenceClient } from './inference.ts';
import { JobsClient } from './jobs.ts';
import { Inconclusive } from './signals.ts';
import type { Target, TargetRequest } from './target.ts';

const { signal } = new AbortController();
const messages = [{ role: 'user', content: 'x' }];

function recording(status = 200): { target: Target; seen: FakeRequest[] } {
  const seen: FakeRequest[] = [];
  const target = openFake((request) => {
    seen.push(request);
    return json(status, { ok: true });
  });
  return { target, seen };
}

function clients(target: Target, evidence = new Evidence()) {
  const exchange = (one: TargetRequest) => target.exchange(one, evidence, signal);
  return { inference: new InferenceClient(exchange), jobs: new JobsClient(exchange, 'inst 1'), evidence };
}

test('paths and methods come from the operations table, ids are encoded', async () => {
  const { target, seen } = recording();
  const { inference, jobs } = clients(target);
  await inference.models();
  await inference.model('acme/base 70b');
  await inference.chat({ model: 'm', messages });
  await inference.completions({ model: 'm', prompt: 'x' });
  await jobs.run({ echo: 1 });
  await jobs.runsync({ echo: 1 });
  await jobs.status('a/b', { method: 'POST' });
  await jobs.statusSync('j');
  await jobs.stream('j');
  await jobs.cancel('j');
  await jobs.purgeQueue();
  await jobs.health();
  await jobs.at('inst-2').requests({ query: 'limit=1' });
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/models',
    'GET /v1/models/acme/base%2070b',
    'POST /v1/chat/completions',
    'POST /v1/completions',
    'POST /api/v1/sl/inst%201/run',
    'POST /api/v1/sl/inst%201/runsync',
    'POST /api/v1/sl/inst%201/status/a%2Fb',
    'GET /api/v1/sl/inst%201/status-sync/j',
    'GET /api/v1/sl/inst%201/stream/j',
    'POST /api/v1/sl/inst%201/cancel/j',
    'POST /api/v1/sl/inst%201/purge-queue',
    'GET /api/v1/sl/inst%201/health',
    'GET /api/v1/sl/inst-2/requests',
  ]);
  expect(JSON.parse(seen[4]?.text ?? '')).toEqual({ input: { echo: 1 } });
});

test('each kind of authorization is sent as it says', async () => {
  const { target, seen } = recording();
  const { inference, jobs } = clients(target);
  await inference.models();
  const breaks = 'the credential';
  await inference.models({ auth: 'none', breaks });
  await inference.models({ auth: 'broke' });
  await inference.models({ auth: 'bare', breaks });
  await inference.models({ auth: 'lower-case' });
  await inference.models({ auth: { header: 'Basic x' }, breaks });
  await jobs.health();
  expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer fake-access-key',
    null,
    'Bearer fake-broke-key',
    'fake-access-key',
    'bearer fake-access-key',
    'Basic x',
    'Bearer fake-job-key',
  ]);
});

test('a JSON body says that it is JSON; a raw one says what the check says', async () => {
  const { target, seen } = recording();
  const { inference } = clients(target);
  await inference.completions({ model: 'm', prompt: 'x' });
  const breaks = 'the body and what it is called';
  await inference.call('chat', { body: '{"broken', headers: { 'content-type': 'text/plain' }, breaks });
  expect(seen.map(({ headers, text }) => [headers.get('content-type'), text])).toEqual([
    ['application/json', '{"model":"m","prompt":"x"}'],
    ['text/plain', '{"broken'],
  ]);
});

test('every exchange is recorded, without keys', async () => {
  const { target } = recording();
  const { inference, evidence } = clients(target);
  await inference.completions({ model: 'm', prompt: 'x' });
  const [one] = evidence.list();
  expect(one).toMatchObject({
    method: 'POST',
    status: 200,
    requestBody: '{"model":"m","prompt":"x"}',
    responseBody: '{"ok":true}',
  });
  expect(JSON.stringify(one)).not.toContain('fake-access-key');
});

test('a refusal by a limit ends the check, unless it is what was expected', async () => {
  const { target } = recording(429);
  const { inference } = clients(target);
  await expect(inference.models()).rejects.toBeInstanceOf(Inconclusive);
  await expect(inference.models({ expects429: true })).resolves.toMatchObject({ status: 429 });
});

test('a request that was lost with a kept connection is sent again, once, and both are among the evidence', async () => {
  const kept = new KeptConnectionClosed('closed', { cause: new Error('other side closed') });
  let failures: Error[] = [kept];
  const target = openFake(() => {
    const failure = failures.shift();
    if (failure) throw failure;
    return json(200, { data: [{ id: 'acme/base-70b' }] });
  });
  const { inference, evidence } = clients(target);
  const { served } = target.answers.of('models');
  await expect(inference.models()).resolves.toMatchObject({ status: 200 });
  const reason = 'other side closed; an earlier response had left the connection open';
  expect(evidence.list().map(({ status, error }) => status ?? error)).toEqual([reason, 200]);
  // Any server may close a connection that it has kept.
  expect([served.answers, served.broken]).toEqual([1, 0]);
  failures = [kept, new Error('reset')];
  await expect(inference.models()).rejects.toThrow('reset');
  expect([served.answers, served.broken]).toEqual([2, 1]);
  failures = [kept, kept];
  await expect(inference.models()).rejects.toThrow(reason);
  expect(failures).toEqual([]);
  expect(target.answers.of('models').lostWithConnection).toBe(3);
});

test('the access key goes to interface B only where both are one service', () => {
  const parts = { dispatcher: openFake(() => json(200, {})), clock: openFake(() => json(200, {})).clock };
  expect(parts.clock).toBeDefined();
  const apart = openFake(() => json(200, {}), { ...fakeConfig, jobBaseUrl: 'http://other.local' });
  expect(apart.hasKey('jobs')).toBe(true);
  expect(apart.address('jobs')).toBe('http://other.local');
});

test('a credential made out of the key is masked like the key', async () => {
  const { target, seen } = recording();
  const { inference, evidence } = clients(target);
  const auth = target.credentialLike('inference', (key) => `Bearer ${key.toUpperCase()}`);
  await inference.models(auth ? { auth, breaks: 'the key' } : {});
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer FAKE-ACCESS-KEY');
  expect(target.masker.text('no key FAKE-ACCESS-KEY')).toBe('no key ***');
  expect(JSON.stringify(evidence.list())).not.toMatch(/fake-access-key/i);
  expect(target.credentialLike('inference', () => null)).toBeNull();
});

test('addresses lose their trailing slashes', () => {
  const target = openFake(() => json(200, {}), { ...fakeConfig, baseUrl: 'http://fake.local/prefix//' });
  expect(target.address('inference')).toBe('http://fake.local/prefix');
});

test('an interface that is not configured gets no requests', async () => {
  const target = openFake(() => json(200, {}), { ...fakeConfig, baseUrl: null });
  await expect(clients(target).inference.models()).rejects.toThrow('not configured');
});
