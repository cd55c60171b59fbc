import { expect, test } from 'vitest';
import { type Addresses, generation, headersFor, inTurn, outgoing, QUICK_JOB, slowJob } from './requests.ts';

const addresses: Addresses = {
  baseUrl: 'https://models.example/',
  jobBaseUrl: 'http://jobs.example',
  model: 'acme/base-70b',
  instId: 'inst 1',
};

test.each([
  ['run', {}, 'POST', 'http://jobs.example/api/v1/sl/inst%201/run', QUICK_JOB],
  ['runsync', { query: { wait: 1000 } }, 'POST', 'http://jobs.example/api/v1/sl/inst%201/runsync?wait=1000', QUICK_JOB],
  ['status', { jobId: 'a/b' }, 'GET', 'http://jobs.example/api/v1/sl/inst%201/status/a%2Fb', null],
  ['stream', { method: 'POST' }, 'POST', 'http://jobs.example/api/v1/sl/inst%201/stream/unknown', null],
  ['run', { body: '{}' }, 'POST', 'http://jobs.example/api/v1/sl/inst%201/run', '{}'],
  ['models', {}, 'GET', 'https://models.example/v1/models', null],
] as const)('%s with %j', (id, choices, method, url, body) => {
  expect(outgoing(addresses, id, choices)).toEqual({ operation: id, method, url, body });
});

test('an operation of an interface without an address is an error', () => {
  expect(() => outgoing({ ...addresses, baseUrl: null }, 'chat')).toThrow(/no address for operation 'chat'/);
});

test('a generation is of a bounded length, whichever convention asks for it', () => {
  expect(JSON.parse(generation('chat', 'm', 1))).toMatchObject({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'user' }],
  });
  expect(JSON.parse(generation('completions', 'm', 7))).toMatchObject({ max_tokens: 7, prompt: expect.any(String) });
});

test('operations come in turn, each with its methods in turn', () => {
  const turns = Array.from({ length: 6 }, (_, index) => inTurn(['status', 'cancel'], index));
  expect(turns.map(({ id, method }) => `${method} ${id}`)).toEqual([
    'GET status',
    'POST cancel',
    'POST status',
    'POST cancel',
    'GET status',
    'POST cancel',
  ]);
});

test('jobs are valid JSON that the handler understands', () => {
  expect(JSON.parse(QUICK_JOB)).toEqual({ input: { echo: 1, delay_ms: 0 } });
  expect(JSON.parse(slowJob(1234.5))).toEqual({ input: { echo: 1, delay_ms: 1235 } });
});

test('the key is a bearer credential, and absent where there is none', () => {
  expect(headersFor('k', true)).toMatchObject({ Authorization: 'Bearer k', 'Content-Type': 'application/json' });
  expect(headersFor(null, false)).toEqual({ Accept: 'application/json' });
});
