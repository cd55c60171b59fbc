import { expect, test } from 'vitest';
import { isBadRequest, isRefusal } from './refusal.ts';

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

test.each([400, 404, 410, 413, 415, 422])('%i turns a body away for what is in it', (status) => {
  expect(isBadRequest(reply(status))).toBe(true);
});

test.each([200, 302, 401, 402, 403, 408, 409, 429, 500])('%i says nothing of a body', (status) => {
  expect(isBadRequest(reply(status))).toBe(false);
});
