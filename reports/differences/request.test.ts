import { expect, test } from 'vitest';
import type { Exchange } from '../../schemas/facts.ts';
import { type Side, sentBy, textsOf } from './request.ts';
import { observed, sent } from './testing/runs.ts';

const side = (changes: Partial<Side> = {}): Side => ({
  target: observed([]).target,
  runId: 'r1',
  keyless: false,
  ...changes,
});
const theirs: Side = side({
  target: {
    ...side().target,
    baseUrl: 'https://b.example/gateway',
    jobBaseUrl: 'https://b.example/gateway/',
    endpoints: [{ instId: 'big one', workersMax: null, dedicated: false }],
    model: 'other/model',
  },
  runId: 'another-run',
});
const key = (exchange: Exchange, of: Side, given: readonly string[] = []): string =>
  sentBy(exchange, of, new Set(given)).key;

test('addresses, endpoints, models and run ids are what they stand for', () => {
  const ours = sent({}, { requestBody: '{"input":{"echo":"pl-r1-0123456789abcdef"},"model":"acme/base-70b"}' });
  const other = sent(
    {},
    {
      url: 'https://b.example/gateway/api/v1/sl/big%20one/run',
      requestBody: '{"model":"other/model","input":{"echo":"pl-another-run-fedcba9876543210"}}',
    },
  );
  expect(key(ours, side())).toBe(key(other, theirs));
});

test('an id that was handed out is a job, another one was made up', () => {
  const poll = (id: string) => sent({}, { method: 'GET', path: `/status/${id}` });
  expect(sentBy(poll('abc'), side(), new Set(['abc']))).toMatchObject({ operation: 'status', place: 'status' });
  expect(key(poll('abc'), side(), ['abc'])).toBe(key(poll('xyz'), side(), ['xyz']));
  expect(key(poll('abc'), side(), ['abc'])).not.toBe(key(poll('abc'), side()));
});

test.each([
  ['method', { method: 'PUT' }],
  ['query', { path: '/run?wait=5' }],
  ['credential', { requestHeaders: { 'content-type': 'application/json' } }],
  ['scheme', { requestHeaders: { authorization: 'Basic ***', 'content-type': 'application/json' } }],
  ['content type', { requestHeaders: { authorization: 'Bearer ***', 'content-type': 'text/plain' } }],
  ['body', { requestBody: '{"input":{"echo":"y"}}' }],
  ['endpoint', { url: 'http://a.example/api/v1/sl/nobodys/run' }],
] as const)('another %s is another question', (_name, changes) => {
  expect(key(sent({}, changes), side())).not.toBe(key(sent({}), side()));
});

test('the agent and the order of headers and of fields are nothing', () => {
  const requestHeaders = { 'Content-Type': 'application/json', 'user-agent': 'x', Authorization: 'Bearer ***' };
  const [one, other] = ['{"input":{"a":1,"b":2}}', '{"input":{"b":2,"a":1}}'];
  expect(key(sent({}, { requestBody: one }), side())).toBe(
    key(sent({}, { requestHeaders, requestBody: other }), side()),
  );
});

test('a target with inputs of its own gets the same request in another form', () => {
  const own = side({ target: { ...side().target, workloads: { quick: { prompt: '{{echo}}' } } } });
  const [one, other] = [{ requestBody: '{"input":{"prompt":"x"}}' }, { requestBody: '{"input":{"text":"y"}}' }];
  expect(key(sent({}, one), own)).toBe(key(sent({}, other), own));
});

test('where no key is configured, going without is the ordinary request', () => {
  const requestHeaders = { 'content-type': 'application/json' };
  expect(key(sent({}, { requestHeaders }), side({ keyless: true }))).toBe(key(sent({}), side()));
});

test('operations are found, and what is none keeps its path', () => {
  const of = (url: string) => sentBy(sent({}, { url }), side(), new Set(['acme/base-70b'])).place;
  expect(of('http://a.example/v1/models')).toBe('models');
  expect(of('http://a.example/v1/nothing')).toBe('/v1/nothing');
  expect(of('http://a.example/api/v1/sl/inst-1/no-such')).toBe('/api/v1/sl/{inst_id}/no-such');
});

test('ids are found in bodies that were cut', () => {
  expect(textsOf('{"id":"a-1","list":[{"id":"b\\"2"},{"id":"c… (9 characters)')).toEqual([
    'id',
    'a-1',
    'list',
    'id',
    'b\\"2',
    'id',
  ]);
  expect(textsOf(undefined)).toEqual([]);
});
