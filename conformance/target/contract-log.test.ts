/** Which answers count: to requests that nothing is wrong with, about what certainly is there. */
import { expect, test } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import { type Fake, fakeConfig, json, openFake } from '../testing/fake-dispatcher.ts';
import { Evidence } from './evidence.ts';
import { InferenceClient } from './inference.ts';
import { JobsClient } from './jobs.ts';
import type { Target, TargetRequest } from './target.ts';

const { signal } = new AbortController();

function harness(fake: Fake): { target: Target; inference: InferenceClient; jobs: JobsClient } {
  const target = openFake(fake, fakeConfig);
  const exchange = (one: TargetRequest) => target.exchange(one, new Evidence(), signal);
  return { target, inference: new InferenceClient(exchange), jobs: new JobsClient(exchange, 'inst-1') };
}

const RECORD = { id: 'job-1', status: 'COMPLETED', output: 'x' };
/** A record for every job, except that one kind of answer is empty. */
const service: Fake = ({ path }) => {
  if (path.endsWith('/run')) return json(200, { id: 'job-1', status: 'IN_QUEUE' });
  return path.endsWith('/cancel/job-1') ? json(200, { id: 'job-1', status: 'CANCELLED' }) : json(200, RECORD);
};

test('a job that was never submitted is not checked, one of ours is', async () => {
  const { target, jobs } = harness(service);
  await jobs.status('job-1');
  expect(target.answers.of('status')).toMatchObject({ understood: false, fields: { answers: 0 } });
  await jobs.run({ echo: 1 });
  await jobs.status('job-1');
  await jobs.at('inst-none').status('job-1');
  expect(target.answers.of('status')).toMatchObject({ understood: true, documented: { answers: 1, worst: null } });
});

test('an instance that is not ours is not checked', async () => {
  const { target, jobs } = harness(service);
  await jobs.at('elsewhere').health();
  expect(target.answers.of('health').fields.answers).toBe(0);
});

test('a job that was cancelled, or may be over, is promised nothing any more', async () => {
  const { target, jobs } = harness(service);
  await jobs.run({ echo: 1 });
  await jobs.cancel('job-1');
  await jobs.status('job-1');
  expect(target.answers.of('cancel').documented.answers).toBe(1);
  expect(target.answers.of('status')).toMatchObject({ documented: { answers: 0 }, fields: { answers: 1 } });
  await target.clock.sleep(limitFor('retention', 'run')?.value ?? 0, signal);
  await jobs.status('job-1');
  expect(target.answers.of('status').fields.answers).toBe(1);
});

test('a job that was seen to have ended stays, also when others try to cancel it', async () => {
  const { target, jobs } = harness(service);
  await jobs.run({ echo: 1 });
  await jobs.status('job-1');
  await jobs.cancel('job-1');
  await jobs.status('job-1');
  expect(target.answers.of('status').documented.answers).toBe(2);
});

test('the first broken answer is kept with its exchange, and the others are counted', async () => {
  let requested = 0;
  const { target, jobs } = harness(() => json(200, ++requested > 1 ? {} : { jobs: { completed: 1 } }));
  for (let count = 0; count < 3; count += 1) await jobs.health();
  const { documented, understood } = target.answers.of('health');
  expect(documented).toMatchObject({
    answers: 3,
    broken: 2,
    worst: { schemaPath: expect.stringMatching(/^health\/documented#/) as string },
  });
  expect(documented.worst?.exchange.responseBody).toBe('{}');
  expect(documented.first?.responseBody).toBe('{"jobs":{"completed":1}}');
  expect(understood).toBe(true);
});

test('an earlier run may have used up a small limit, until a window has passed', async () => {
  const { target, jobs } = harness(() => json(429, { error: 'too many requests' }));
  const refused = async (id: 'purge-queue' | 'run'): Promise<number> => {
    await expect(id === 'run' ? jobs.run({ echo: 1 }) : jobs.call(id)).rejects.toThrow('429');
    return target.answers.of(id).served.broken;
  };
  expect([await refused('purge-queue'), await refused('run')]).toEqual([0, 1]);
  await target.clock.sleep(limitFor('requests', 'purge-queue')?.windowMs ?? 0, signal);
  expect(await refused('purge-queue')).toBe(1);
});

test('streams are counted apart from whole answers', async () => {
  const events = { status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'data: {}\n\n' };
  const { target, inference } = harness(() => events);
  await inference.chat({ model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true });
  const { streams, fields, events: count } = target.answers.of('chat');
  expect([streams.answers, streams.broken, fields.answers, count]).toEqual([1, 1, 0, 1]);
});

test('two requests have two ids, and the same one may be answered from a cache', async () => {
  const given = ['a', 'a', 'b', 'a', undefined];
  const { target, inference } = harness(() => json(200, { id: given.shift() }));
  const send = (content: string) => inference.chat({ model: 'm', messages: [{ role: 'user', content }] });
  for (const content of ['x', 'x', 'other']) await send(content);
  const { ids } = target.answers.of('chat');
  expect(ids).toMatchObject({ answers: 3, broken: 0 });
  await send('y');
  expect(ids).toMatchObject({ answers: 4, broken: 1, worst: { words: 'a, which another request got too' } });
  await send('without one');
  expect(ids).toMatchObject({ answers: 5, broken: 2 });
});

test.each<[string, number, number]>([
  ['a mistake of the client', 400, 1],
  ['a limit', 429, 0],
  ['a breakdown', 500, 0],
])('refusals: %s (%i)', async (_name, status, counted) => {
  const { target, inference } = harness(() => json(status, { error: 'no' }));
  await inference.call('chat', { body: '{', breaks: 'the body', expects429: true, headers: JSON_TYPE });
  expect(target.answers.of('chat').errors).toMatchObject({ answers: counted, broken: counted });
});
const JSON_TYPE = { 'content-type': 'application/json' };

test('refusals of a method, and of a credential on interface B, have no form that clients read', async () => {
  const { target, inference, jobs } = harness(() => json(401, 'no'));
  await inference.models({ method: 'DELETE', breaks: 'the method' });
  await jobs.health();
  expect([target.answers.of('models').errors.answers, target.answers.of('health').errors.answers]).toEqual([0, 0]);
  await inference.models({ auth: 'none', breaks: 'no credential' });
  expect(target.answers.of('models').errors.broken).toBe(1);
});

test('a wrong request that is answered all the same says nothing about answers', async () => {
  const { target, inference } = harness(() => json(200, {}));
  await inference.models({ auth: 'none', breaks: 'no credential' });
  expect(target.answers.of('models').fields.answers).toBe(0);
});

test('where no single model can be read, that one is unknown has no form either', async () => {
  let reads = false;
  const { target, inference } = harness(() => (reads ? json(200, { id: 'acme/base-70b' }) : json(404, {})));
  await inference.model('a/nothing');
  expect(target.answers.of('models').errors.answers).toBe(0);
  reads = true;
  await inference.model('acme/base-70b');
  reads = false;
  await inference.model('a/nothing');
  expect(target.answers.of('models').errors.broken).toBe(1);
});

test('only a model that is listed can be read', async () => {
  const { target, inference } = harness(({ path }) =>
    path === '/v1/models' ? json(200, { data: [{ id: 'a/b' }] }) : json(200, {}),
  );
  await inference.model('a/b');
  await inference.models();
  await inference.model('a/b');
  expect(target.answers.of('models')).toMatchObject({ understood: true, fields: { answers: 2 } });
});

test('an operation that no longer serves anything gets no more requests, and one that serves now and then does', async () => {
  let [requested, heals] = [0, true];
  const { jobs } = harness((request) => {
    if (!request.path.endsWith('/health')) return service(request);
    requested += 1;
    return heals && requested % 15 === 0 ? json(200, { jobs: {} }) : json(500, {});
  });
  for (let request = 0; request < 60; request += 1) await jobs.health();
  heals = false;
  for (let request = 0; request < 20; request += 1) await jobs.health();
  await expect(jobs.health()).rejects.toThrow('health served none of 20 requests in a row');
  expect(requested).toBe(80);
  expect((await jobs.requests()).status).toBe(200);
});
