/** The switches of the reference itself: what they tell, what they do, and that they aren't there by default. */
import { expect, test } from 'vitest';
import { harness } from '../../testing/harness.ts';

const ALL = '/_reference/instances';
const noKey = { headers: { authorization: '' } };

test('the instances are listed, and one can be made to fail, without a key', async () => {
  const { request, clock, options } = harness({ control: true });
  const reported = await request(ALL, noKey);
  expect(reported.status).toBe(200);
  expect(reported.body).toEqual({
    instances: [1, 2, 3].map((number) => ({ name: `inference-${number}`, state: 'healthy', in_flight: 0 })),
  });
  const failed = await request(`${ALL}/inference-2/fail`, { method: 'POST', ...noKey });
  expect([failed.status, failed.body]).toEqual([200, { name: 'inference-2', state: 'failed', in_flight: 0 }]);
  await clock.sleep(options.replaceMs + 1);
  expect((await request(ALL)).body).toMatchObject({
    instances: [{ name: 'inference-1' }, { name: 'inference-4', state: 'healthy' }, { name: 'inference-3' }],
  });
  const unknown = await request(`${ALL}/inference-2/fail`, { method: 'POST' });
  expect([unknown.status, unknown.body]).toEqual([404, { error: 'instance not found' }]);
});

test('a wrong method is a 405, any other path a 404', async () => {
  const { request } = harness({ control: true });
  const posted = await request(ALL, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  const got = await request(`${ALL}/inference-1/fail`);
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  for (const path of ['/_reference/', `${ALL}/inference-1`, `${ALL}/a/b/fail`])
    expect((await request(path)).status).toBe(404);
});

test('by default they are as unknown as any other path', async () => {
  const { request } = harness();
  const unknown = await request('/no/such/path');
  for (const [path, method] of [
    [ALL, 'GET'],
    [`${ALL}/inference-1/fail`, 'POST'],
  ] as const) {
    const answer = await request(path, { method });
    expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body]);
  }
  expect((await request('/v1/models')).headers.get('x-served-by')).toBe('inference-1');
});
