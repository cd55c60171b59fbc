import { expect, test } from 'vitest';
import { ACCEPT } from '../../schemas/operations.ts';
import { type Addresses, generation, headersFor, inTurn, outgoing, quickJob, slowJob } from './requests.ts';

const QUICK_JOB = '{"input":{"echo":"proofload run-1","delay_ms":0}}';
const addresses: Addresses = {
  baseUrl: 'https://models.example/',
  jobBaseUrl: 'http://jobs.example',
  model: 'acme/base-70b',
  instId: 'inst 1',
  runId: 'run-1',
};

test.each([
  ['run', {}, 'POST', 'http://jobs.example/api/v1/sl/inst%201/run', QUICK_JOB],
  ['runsync', { query: { wait: 1000 } }, 'POST', 'http://jobs.example/api/v1/sl/inst%201/runsync?wait=1000', QUICK_JOB],
  ['status', { jobId: 'a/b' }, 'GET', 'http://jobs.example/api/v1/sl/inst%201/status/a%2Fb', null],
  ['stream', { method: 'POST' }, 'POST', 'http://jobs.example/api/v1/sl/inst%201/stream/unknown', null],
  ['run', { body: '{}' }, 'POST', 'http://jobs.example/api/v1/sl/inst%201/run', '{}'],
  ['models', {}, 'GET', 'https://models.example/v1/models', null],
] as const)('%s with %j', (id, choices, method, url, body) => {
  expect(outgoing(addresses, id, choices)).toMatchObject({ operation: id, method, url, body });
});

test('an operation of an interface without an address is an error', () => {
  expect(() => outgoing({ ...addresses, baseUrl: null }, 'chat')).toThrow(/no address for operation 'chat'/);
});

test('a generation is of a bounded length where the target takes one, in each convention', () => {
  expect(JSON.parse(generation('chat', addresses, 1))).toMatchObject({
    model: 'acme/base-70b',
    max_tokens: 1,
    messages: [{ role: 'user', content: expect.stringContaining('run-1') }],
  });
  expect(JSON.parse(generation('completions', addresses, 7))).toMatchObject({
    max_tokens: 7,
    prompt: expect.stringContaining('run-1'),
  });
  const strict = { ...addresses, takesMaxTokens: false };
  expect(Object.keys(JSON.parse(generation('chat', strict, 1)) as object)).toEqual(['model', 'messages']);
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

test('jobs are what the handler takes, and name the run', () => {
  expect(quickJob(addresses)).toBe(QUICK_JOB);
  expect(JSON.parse(slowJob(addresses, 1234.5))).toEqual({ input: { echo: 'proofload run-1', delay_ms: 1235 } });
  const workloads = { quick: { say: '{{echo}}' }, slow: { say: '{{echo}}', seconds: '{{delay_ms}}' } };
  const theirs = { ...addresses, workloads };
  expect(outgoing(theirs, 'run').body).toBe('{"input":{"say":"proofload run-1"}}');
  expect(slowJob(theirs, 0)).toBe('{"input":{"say":"proofload run-1","seconds":1}}');
});

test('a job that the target lacks is a fault of the plan', () => {
  expect(() => outgoing({ ...addresses, workloads: { quick: null } }, 'runsync')).toThrow('no quick workload');
  expect(() => slowJob({ ...addresses, workloads: { slow: null } }, 5)).toThrow('no slow workload');
});

test('the key is a bearer credential, and absent where there is none', () => {
  expect(headersFor('k', true)).toMatchObject({ Authorization: 'Bearer k', 'Content-Type': 'application/json' });
  expect(headersFor(null, false)).toEqual({ Accept: ACCEPT });
});
