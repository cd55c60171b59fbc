import { expect, test } from 'vitest';
import { isRefusal } from './refusal.ts';

const times = { sentMs: 0, headersMs: 0, endMs: 0 };
const reply = (status: number) => ({
  request: 'GET /',
  status,
  headers: {},
  text: '',
  json: undefined,
  ...times,
  pieces: [],
});

test.each([400, 401, 403, 404, 405, 410, 422])('%i turns a request away', (status) => {
  expect(isRefusal(reply(status))).toBe(true);
});

test.each([200, 204, 302, 408, 429, 500, 503])('%i does not', (status) => {
  expect(isRefusal(reply(status))).toBe(false);
});
