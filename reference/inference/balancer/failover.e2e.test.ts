/** Failover on a socket, with the real clock: the switch is thrown while answers are on their way. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../../server.ts';
import { field } from '../../testing/harness.ts';

let served: Served;
beforeAll(async () => {
  served = await serve({
    accessKeys: ['key'],
    control: true,
    firstTokenMs: 300,
    interTokenMs: 20,
    replaceMs: 200,
    streamFailover: 'continue',
  });
});
afterAll(() => served.close());

const complete = (more: object): Promise<Response> =>
  fetch(`${served.url}/v1/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'acme/base-70b', prompt: 'Once', max_tokens: 20, ...more }),
  });

async function instances(): Promise<{ name: string; busy: boolean }[]> {
  const body: unknown = await (await fetch(`${served.url}/_reference/instances`)).json();
  const all = field(body, 'instances');
  return (Array.isArray(all) ? all : []).map((one) => ({
    name: String(field(one, 'name')),
    busy: field(one, 'in_flight') !== 0,
  }));
}

/** Waits until the one request is on an instance, and makes that fail; its name. */
async function failTheBusyOne(): Promise<string> {
  for (let tries = 0; tries < 500; tries += 1) {
    const name = (await instances()).find(({ busy }) => busy)?.name;
    if (name === undefined) continue;
    const failed = await fetch(`${served.url}/_reference/instances/${name}/fail`, { method: 'POST' });
    expect(failed.status).toBe(200);
    return name;
  }
  throw new Error('no instance was ever busy');
}

const textOf = async (response: Response): Promise<string> => {
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => field(JSON.parse(line.slice(6)), 'choices', 0, 'text') ?? '').join('');
};

test('a whole answer comes from another instance than the one that failed', async () => {
  const calm = await (await complete({})).json();
  const requested = complete({});
  const victim = await failTheBusyOne();
  const answer = await requested;
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-served-by')).not.toBe(victim);
  expect(field(await answer.json(), 'choices')).toEqual(field(calm, 'choices'));
  expect((await instances()).some(({ busy }) => busy)).toBe(false);
});

test('a stream that has begun is sent to its end, and the failed instance is replaced', async () => {
  const calm = await textOf(await complete({ stream: true }));
  const answer = await complete({ stream: true });
  const victim = await failTheBusyOne();
  expect(answer.headers.get('x-served-by')).toBe(victim);
  expect(await textOf(answer)).toBe(calm);
  const now = await instances();
  expect(now).toHaveLength(3);
  expect(now.map(({ name }) => name)).not.toContain(victim);
});
