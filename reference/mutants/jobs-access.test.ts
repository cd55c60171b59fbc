/** Ids that look different still lead to their jobs: such a fault is one of the id alone. */
import { expect, test } from 'vitest';
import { applyMutants } from '../mutants.ts';
import { field, type Harness, harness } from '../testing/harness.ts';

const planted = (name: string): Harness => harness(applyMutants(harness().options, [name]));

test.each(['run', 'runsync'] as const)('a job of %s whose id has a slash is found by it', async (id) => {
  const { job, clock } = planted('ids-with-slash');
  const jobId = String(field((await job(id, { body: { input: { echo: 'x' } } })).body, 'id'));
  expect(jobId).toMatch(/^eu\/\S+$/);
  await clock.sleep(1);
  const found = await job('status', { jobId });
  expect([found.status, field(found.body, 'id'), field(found.body, 'output')]).toEqual([200, jobId, 'x']);
});

test('without a fault an id is as it was made', async () => {
  const { job } = harness();
  const { body } = await job('run', { body: { input: 1 } });
  expect(String(field(body, 'id'))).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('a refusal that has an effect looks like any other, and leaves a job', async () => {
  const instId = 'inst-none';
  const seen = async (one: Harness): Promise<readonly unknown[]> => {
    const { status, body } = await one.job('run', { instId, body: { other: 1 } });
    const { body: health } = await one.job('health', { instId });
    return [status, body, field(health, 'jobs', 'inQueue')];
  };
  const [status, body] = await seen(harness());
  expect(await seen(harness())).toEqual([status, body, 0]);
  expect(await seen(planted('run-refused-for-its-body-and-done'))).toEqual([status, body, 1]);
});
