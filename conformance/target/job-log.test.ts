/** What is said of all jobs together: only what certainly is so. */
import { expect, test } from 'vitest';
import { limitFor } from '../../schemas/limits.ts';
import { type Fake, fakeConfig, json, openFake } from '../testing/fake-dispatcher.ts';
import { Evidence } from './evidence.ts';
import { JobsClient } from './jobs.ts';
import type { Target, TargetRequest } from './target.ts';

const { signal } = new AbortController();
const word = (digit: number): string => `pl-local-${String(digit).repeat(16)}`;
const RETENTION = limitFor('retention', 'run')?.value ?? 0;

function harness(fake: Fake): { target: Target; jobs: JobsClient } {
  const target = openFake(fake, fakeConfig);
  const exchange = (one: TargetRequest) => target.exchange(one, new Evidence(), signal);
  return { target, jobs: new JobsClient(exchange, 'inst-1') };
}

/** Ids in the order of submission; what status answers about each is up to the test. */
function service(status: (id: string) => ReturnType<typeof json>, ids = (count: number) => `job-${count}`): Fake {
  let count = 0;
  return ({ path }) => {
    const [operation = '', id = ''] = path.split('/').slice(5);
    if (operation === 'run') {
      count += 1;
      return json(200, { id: ids(count), status: 'IN_QUEUE' });
    }
    return operation === 'status' ? status(id) : json(200, { id, status: 'CANCELLED' });
  };
}

const done = (id: string, output: unknown = 1) => json(200, { id, status: 'COMPLETED', output });

test('an id that comes twice is found, also among others', async () => {
  const { target, jobs } = harness(service(done, (count) => `job-${count % 3}`));
  for (const count of [1, 2, 3]) await jobs.run({ echo: count });
  expect(target.answers.jobs).toMatchObject({ ids: 3, twice: null });
  await jobs.run({ echo: 4 });
  expect(target.answers.jobs.twice?.words).toBe('job-1 was given to two jobs');
  expect(target.answers.jobs.twice?.exchanges).toHaveLength(2);
});

test('the same id on two instances is two ids', async () => {
  const { target, jobs } = harness(service(done, () => 'job'));
  await jobs.run({});
  await jobs.at('inst-none').run({});
  expect(target.answers.jobs.twice).toBeNull();
});

test('a word of another job is found, the own and unknown ones are not', async () => {
  const outputs: Record<string, string> = { 'job-1': word(1), 'job-2': `${word(9)} ${word(2)}`, 'job-3': word(1) };
  const { target, jobs } = harness(service((id) => done(id, outputs[id])));
  for (const digit of [1, 2, 3]) await jobs.run({ echo: word(digit) });
  await jobs.status('job-1');
  await jobs.status('job-2');
  expect(target.answers.jobs).toMatchObject({ ownWords: 2, foreignWord: null });
  await jobs.status('job-3');
  expect(target.answers.jobs.foreignWord?.words).toContain(word(1));
});

test('one word given to two jobs may be in the output of both', async () => {
  const { target, jobs } = harness(service((id) => done(id, word(1))));
  await jobs.run({ echo: word(1) });
  await jobs.run({ echo: word(1) });
  await jobs.status('job-1');
  await jobs.status('job-2');
  expect(target.answers.jobs.foreignWord).toBeNull();
});

test('an id that was never issued, such as one in other letters, is not checked', async () => {
  const { target, jobs } = harness(service(() => done('job-1', word(1))));
  await jobs.run({ echo: word(1) });
  await jobs.status('JOB-1');
  expect(target.answers.jobs).toMatchObject({ ownWords: 0, foreignWord: null });
});

test('a job that was known and is gone within its time is forgotten', async () => {
  let gone = false;
  const { target, jobs } = harness(service((id) => (gone ? json(404, { error: 'job not found' }) : done(id))));
  await jobs.run({});
  await jobs.status('job-1');
  gone = true;
  await target.clock.sleep(RETENTION - 1000, signal);
  await jobs.status('job-1');
  expect(target.answers.jobs.forgotten.run?.words).toMatch(/answered 404, .* had known it before/);
});

test.each([
  ['after its time', async ({ target }: { target: Target }) => target.clock.sleep(RETENTION, signal)],
  ['after a cancel', async ({ jobs }: { jobs: JobsClient }) => jobs.cancel('job-1')],
  ['after a purge', async ({ jobs }: { jobs: JobsClient }) => jobs.purgeQueue()],
])('one that is gone %s is not', async (_, meanwhile) => {
  let gone = false;
  const { target, jobs } = harness(service((id) => (gone ? json(404, { error: 'job not found' }) : done(id))));
  await jobs.run({});
  await jobs.status('job-1');
  gone = true;
  await meanwhile({ target, jobs });
  await jobs.status('job-1');
  expect(target.answers.jobs.forgotten.run).toBeNull();
});

test('one that was never known is not forgotten, and other refusals are none', async () => {
  let status = 404;
  const { target, jobs } = harness(service((id) => (status === 200 ? done(id) : json(status, { error: 'x' }))));
  await jobs.run({});
  await jobs.status('job-1');
  status = 200;
  await jobs.status('job-1');
  status = 503;
  await jobs.status('job-1');
  expect(target.answers.jobs.forgotten.run).toBeNull();
});

test('a route that is missing has forgotten nothing, whatever another one says', async () => {
  const other: Fake = service((id) => done(id));
  const { target, jobs } = harness((call) =>
    call.method === 'POST' && call.path.includes('/status/') ? json(404, { detail: 'Not Found' }) : other(call),
  );
  await jobs.run({});
  await jobs.status('job-1');
  await jobs.status('job-1', { method: 'POST' });
  expect(target.answers.jobs).toMatchObject({ requested: { run: 1 }, forgotten: { run: null } });
});

test.each([
  ['once', { requests: [{ id: 'job-1' }, { id: 'job-2' }] }, null],
  ['once in each of two lists', { waiting: [{ id: 'job-1' }], all: [{ id: 'job-1' }] }, null],
  ['twice in one list', { requests: [{ id: 'job-1' }, { id: 'job-2' }, { id: 'job-1' }] }, 'a list has job-1 twice'],
  [
    'once, with its own history',
    { requests: [{ id: 'job-1', log: [{ job_id: 'job-1' }, { job_id: 'job-1' }] }] },
    null,
  ],
  ['not at all, where another one is there twice', { requests: [{ id: 'x' }, { id: 'x' }] }, null],
])('a job that is listed %s', async (_, body, words) => {
  const other: Fake = service((id) => done(id));
  const { target, jobs } = harness((call) => (call.path.endsWith('/requests') ? json(200, body) : other(call)));
  await jobs.run({});
  await jobs.run({});
  await jobs.requests();
  expect(target.answers.jobs.listedTwice?.words ?? null).toBe(words);
});

/** What is said of a job whose state is each of these in turn. */
async function followed(...records: readonly object[]) {
  const left = [...records];
  const { target, jobs } = harness(service((id) => json(200, { id, ...left.shift() })));
  const { json: submitted } = await jobs.run({});
  for (const _ of records) await jobs.status(String((submitted as { id: string }).id));
  return target.answers.jobs;
}
const states = (...words: readonly string[]) => words.map((status) => ({ status }));

test.each([
  ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'],
  ['IN_QUEUE', 'IN_QUEUE', 'COMPLETED', 'COMPLETED'],
  ['queued', 'cancelled', 'canceled'],
  ['IN_PROGRESS', 'what is this', 'FAILED'],
  ['success', 'IN_PROGRESS', 'COMPLETED'],
])('%s, %s and %s lead forward', async (...words) => {
  expect(await followed(...states(...words))).toMatchObject({ back: null, moves: expect.any(Number) });
});

test.each([
  ['IN_PROGRESS', 'IN_QUEUE', 'COMPLETED'],
  ['IN_PROGRESS', 'COMPLETED', 'IN_PROGRESS'],
  ['IN_PROGRESS', 'CANCELLED', 'COMPLETED'],
  ['IN_QUEUE', 'FAILED', 'COMPLETED'],
])('%s, %s and %s do not', async (...words) => {
  const { back } = await followed(...states(...words));
  expect(back?.exchanges).toHaveLength(2);
  expect(back?.words).toMatch(/^a job was \w+, and \w+ in a later answer$/);
});

test('a job that never moved shows nothing, and one that says that it was started again may go back', async () => {
  expect(await followed(...states('COMPLETED', 'COMPLETED'))).toMatchObject({ moves: 0, back: null });
  const again = [{ status: 'IN_PROGRESS' }, { status: 'IN_QUEUE', retries: 1 }, { status: 'COMPLETED' }];
  expect((await followed(...again)).back).toBeNull();
});
