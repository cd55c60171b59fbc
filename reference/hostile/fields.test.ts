/** Fields, query strings and ids with values that nobody means: refused by name, moved to a bound, or harmless. */
import { expect, test } from 'vitest';
import { operationPath } from '../../schemas/operations.ts';
import { type Answer, field, type Harness, harness } from '../testing/harness.ts';

const MODEL = 'acme/base-70b';
const messages = [{ role: 'user', content: 'hi' }];

/** The body is text, since some numbers exist in no other form. */
function post(one: Harness, path: string, text: string): Promise<Answer> {
  return one.request(path, { method: 'POST', rawBody: text });
}

const chat = (one: Harness, fields: string): Promise<Answer> =>
  post(one, operationPath('chat'), `{"model":"${MODEL}","messages":${JSON.stringify(messages)},${fields}}`);

const complete = (one: Harness, fields: string): Promise<Answer> =>
  post(one, operationPath('completions'), `{"model":"${MODEL}",${fields}}`);

const sync = (one: Harness, input: string, more = ''): Promise<Answer> =>
  post(one, operationPath('runsync', { instId: 'inst-1' }), `{"input":${input}${more}}`);

const chatFaults: readonly [string, string][] = [
  ['"n":129', 'n'],
  ['"n":1e308', 'n'],
  ['"n":-1', 'n'],
  ['"n":1.5', 'n'],
  ['"n":"1"', 'n'],
  ['"max_tokens":-1', 'max_tokens'],
  ['"max_tokens":0.5', 'max_tokens'],
  ['"max_tokens":1e308', 'messages'],
  ['"max_tokens":1e999', 'messages'],
  ['"user":{"__proto__":1}', 'user'],
  ['"logit_bias":{"1":1e308}', 'logit_bias'],
  ['"max_completion_tokens":"many"', 'max_completion_tokens'],
  ['"temperature":"NaN"', 'temperature'],
  ['"temperature":1e999', 'temperature'],
  ['"top_p":-0.1', 'top_p'],
  ['"seed":0.5', 'seed'],
  ['"stop":["a","b","c","d","e"]', 'stop'],
  ['"stop":{}', 'stop'],
  ['"stream":"yes"', 'stream'],
  ['"tools":{}', 'tools'],
  ['"messages":{"length":1e9}', 'messages'],
  ['"messages":null', 'messages'],
  ['"model":["acme"]', 'model'],
  ['"model":""', 'model'],
];

test.for(chatFaults)('chat with %s is a 400 that names %s', async ([fields, name]) => {
  const answer = await chat(harness(), fields);
  expect(answer.status).toBe(400);
  expect(String(field(answer.body, 'error', 'param'))).toMatch(new RegExp(`^${name}`));
});

test.for([
  '"seed":1180591620717411303424',
  '"seed":-9007199254740993',
  '"stop":["","",""]',
  '"stop":""',
  '"unknown":[[[[]]]]',
])('chat with %s is answered', async (fields) => {
  const one = harness();
  const answer = await chat(one, fields);
  expect(answer.status).toBe(200);
  const tokens = Number(field(answer.body, 'usage', 'completion_tokens'));
  expect(tokens).toBeGreaterThan(0);
  expect(tokens).toBeLessThanOrEqual(one.options.maxCompletionTokens);
});

const object = (parameters: string): string =>
  `"tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}],"tool_choice":"required"`;

test.for([
  '{"$ref":"#"}',
  '{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}',
  '{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}',
  '{"type":"array","items":{"type":"string"},"minItems":1e9}',
  '{"type":"string","minLength":1e15}',
  '{"type":"integer","minimum":1e308}',
  '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
  '{"type":"string","pattern":"(a+)+$"}',
  '{"$ref":"#/%"}',
  '{"type":"string","minLength":60,"pattern":"^(x+x+)+y$"}',
  '{"type":"string","pattern":"x{900000000}"}',
  '{"type":"string","pattern":"((("}',
  'true',
])('a tool whose parameters are %s is called or refused, in bounds', async (parameters) => {
  const answer = await chat(harness(), object(parameters));
  expect([200, 400]).toContain(answer.status);
  expect(answer.text.length).toBeLessThan(10_000_000);
});

test('schemas that multiply have an end', async () => {
  const nested = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'array', minItems: 50, items: nested(levels - 1) };
  // Thirty definitions, each of which is twice the next.
  const twice = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { type: 'object', properties: { a: next, b: next } }];
    }),
  );
  const chained = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
  );
  for (const schema of [nested(8), { $ref: '#/$defs/d0', $defs: twice }, { $ref: '#/$defs/d0', $defs: chained }]) {
    const answer = await chat(harness(), object(JSON.stringify(schema)));
    expect([200, 400]).toContain(answer.status);
    expect(answer.text.length).toBeLessThan(10_000_000);
  }
});

test('a hundred thousand messages are answered, or too long for the model', async () => {
  const many = JSON.stringify(Array.from({ length: 100_000 }, () => messages[0]));
  const answer = await post(harness(), operationPath('chat'), `{"model":"${MODEL}","messages":${many}}`);
  expect(answer.status).toBe(400);
  expect(field(answer.body, 'error', 'code')).toBe('context_length_exceeded');
});

test.for([
  ['one word of 10 MB', 'x'.repeat(10_000_000), 200],
  ['5 million words', 'x '.repeat(5_000_000), 400],
  ['10 MB of spaces', ' '.repeat(10_000_000), 200],
] as const)('a prompt of %s', async ([, prompt, status]) => {
  expect((await complete(harness(), `"prompt":${JSON.stringify(prompt)},"max_tokens":1`)).status).toBe(status);
});

test('prompts and choices that multiply are refused', async () => {
  const prompts = JSON.stringify(Array.from({ length: 300_000 }, () => 'x'));
  const answer = await complete(harness(), `"prompt":${prompts},"n":128`);
  expect(answer.status).toBe(400);
  expect(field(answer.body, 'error', 'param')).toBe('prompt');
});

test.for([
  '{"delay_ms":-1}',
  '{"delay_ms":"x"}',
  '{"delay_ms":[1e9]}',
  '{"chunks":-5}',
  '{"chunks":2,"chunk_delay_ms":-1}',
  '{"chunks":"many"}',
  '{"fail":5}',
  '[1e308]',
  'null',
])('a workload of %s is done at once', async (input) => {
  const one = harness();
  expect((await sync(one, input)).body).toMatchObject({ status: 'COMPLETED', executionTime: 0 });
});

test('a workload of endless time ends at its execution timeout, one of endless chunks in bounds', async () => {
  for (const endless of ['1e308', '1e999']) {
    const one = harness();
    const answer = await sync(one, `{"delay_ms":${endless}}`, ',"policy":{"executionTimeout":6000}');
    expect(answer.body).toMatchObject({ status: 'TIMED_OUT' });
  }
  const one = harness();
  const answer = await sync(one, '{"chunks":1e9}');
  expect([answer.status, field(answer.body, 'status')]).toEqual([200, 'COMPLETED']);
});

test('a message of megabytes fails its job, and the list of jobs stays readable', async () => {
  const one = harness();
  const fail = 'x'.repeat(5_000_000);
  for (let round = 0; round < 5; round += 1) await sync(one, `{"fail":"${fail}"}`);
  const list = await one.job('requests', { query: '?limit=1000' });
  expect(list.status).toBe(200);
  expect(list.text.length).toBeLessThan(1_000_000);
});

test.for([
  'null',
  '5',
  '[]',
  '{"executionTimeout":1e999}',
  '{"executionTimeout":-1,"ttl":"x"}',
  '{"executionTimeout":{},"ttl":[1]}',
  '{"ttl":1e308,"lowPriority":"yes"}',
  '{"__proto__":{"ttl":1}}',
])('a policy of %s is moved into its bounds', async (policy) => {
  expect((await sync(harness(), '1', `,"policy":${policy}`)).body).toMatchObject({ status: 'COMPLETED' });
});

test.for(['5', 'null', '"javascript:alert(1)"', '"http://169.254.169.254/"', '{"url":"x"}', '"\\u0000"'])(
  'a webhook of %s leads nowhere',
  async (webhook) => {
    expect((await sync(harness(), '1', `,"webhook":${webhook}`)).body).toMatchObject({ status: 'COMPLETED' });
  },
);

test.for(['1e999', '-5', 'NaN', '', '%00', '5&wait=6', '0x10', '9'.repeat(400), ' 1 ', '%ff'])(
  '?wait=%s waits within its bounds',
  async (wait) => {
    const one = harness();
    const id = await one.submit({ delay_ms: 1e308 }, { policy: { executionTimeout: 86_400_000 } });
    const began = one.clock.now();
    const answer = await one.job('status-sync', { jobId: id, query: `?wait=${wait}` });
    expect(answer.body).toMatchObject({ status: 'IN_PROGRESS' });
    const { min, max } = one.options.statusSyncWait;
    expect(one.clock.now() - began).toBeGreaterThanOrEqual(min);
    expect(one.clock.now() - began).toBeLessThanOrEqual(max);
    one.service.close();
  },
);

test.for([
  'limit=NaN',
  'limit=-1',
  'limit=1e999',
  'limit=0.1',
  'offset=-1',
  'offset=1e308',
  'limit=1&limit=2',
  '%',
  '=&&',
])('requests?%s is a page', async (query) => {
  const one = harness();
  await one.submit(1);
  const answer = await one.job('requests', { query: `?${query}` });
  expect(answer.status).toBe(200);
  expect(field(answer.body, 'requests')).toBeInstanceOf(Array);
});

test.for(['__proto__', 'constructor', '..', '%00', 'a/b', 'x'.repeat(10_240), '💥', 'null', '%ff'])(
  'an id of %s is unknown: 404',
  async (id) => {
    const one = harness();
    for (const request of [
      one.job('status', { jobId: id }),
      one.job('cancel', { jobId: id }),
      one.job('health', { instId: id }),
      one.request(`/v1/models/${id === '..' ? '%2e%2e' : encodeURIComponent(id)}`),
      post(one, operationPath('chat'), JSON.stringify({ model: id, messages })),
    ]) {
      expect((await request).status).toBe(404);
    }
  },
);
