/** The switches of the reference itself: what they tell, what they do, and that they aren't there by default. */
import { expect, test } from 'vitest';
import { harness } from '../../testing/harness.ts';

const ALL = '/_reference/instances';
const noKey = { headers: { authorization: '' } };

test('the instances are told, and one can be made to fail, without a key', async () => {
  const { ask, clock, options } = harness({ control: true });
  const told = await ask(ALL, noKey);
  expect(told.status).toBe(200);
  expect(told.body).toEqual({
    instances: [1, 2, 3].map((number) => ({ name: `inference-${number}`, state: 'healthy', in_flight: 0 })),
  });
  const failed = await ask(`${ALL}/inference-2/fail`, { method: 'POST', ...noKey });
  expect([failed.status, failed.body]).toEqual([200, { name: 'inference-2', state: 'failed', in_flight: 0 }]);
  await clock.sleep(options.replaceMs + 1);
  expect((await ask(ALL)).body).toMatchObject({
    instances: [{ name: 'inference-1' }, { name: 'inference-4', state: 'healthy' }, { name: 'inference-3' }],
  });
  const unknown = await ask(`${ALL}/inference-2/fail`, { method: 'POST' });
  expect([unknown.status, unknown.body]).toEqual([404, { error: 'instance not found' }]);
});

test('a wrong method is a 405, any other path a 404', async () => {
  const { ask } = harness({ control: true });
  const posted = await ask(ALL, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  const got = await ask(`${ALL}/inference-1/fail`);
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
  for (const path of ['/_reference/', `${ALL}/inference-1`, `${ALL}/a/b/fail`])
    expect((await ask(path)).status).toBe(404);
});

test('by default they are as unknown as any other path', async () => {
  const { ask } = harness();
  const unknown = await ask('/no/such/path');
  for (const [path, method] of [
    [ALL, 'GET'],
    [`${ALL}/inference-1/fail`, 'POST'],
  ] as const) {
    const answer = await ask(path, { method });
    expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body]);
  }
  expect((await ask('/v1/models')).headers.get('x-served-by')).toBe('inference-1');
});
