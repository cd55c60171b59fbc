import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MASK, redactor } from './redact.ts';

const KEY = 'sk/live+7f"9&c2<d';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['raw', KEY],
  ['in a sentence', `the key ${KEY} is wrong`],
  ['percent-encoded', encodeURIComponent(KEY)],
  ['percent-encoded in lower case', encodeURIComponent(KEY).replace(/%../g, (code) => code.toLowerCase())],
  ['in a query', new URLSearchParams({ key: KEY }).toString()],
  ['inside JSON', JSON.stringify({ key: KEY })],
  ['inside JSON with escaped slashes', JSON.stringify({ key: KEY }).replaceAll('/', '\\/')],
  ['escaped for HTML', KEY.replace('&', '&amp;').replace('"', '&quot;').replace('<', '&lt;')],
  ['base64', base64(KEY)],
  ['base64 of the header value', base64(`Bearer ${KEY}`)],
  ['base64 of basic credentials', base64(`user:${KEY}`)],
  ['base64 at the third place', base64(`us:${KEY}:tail`)],
  ['base64url', Buffer.from(`x${KEY}`).toString('base64url')],
])('a key is masked %s', (_, text) => {
  const { text: mask, file } = redactor([KEY]);
  for (const masked of [mask(text), file(text)]) {
    expect(masked).toContain(MASK);
    expect(masked).not.toContain(KEY);
  }
});

test('values and property names of a whole result are masked, and nothing else is touched', () => {
  const value = { checks: [{ id: 'run.auth', observed: `got ${KEY}`, n: 1, ok: null }], [`x-${KEY}`]: true };
  expect(redactor([KEY, null, undefined, '']).deep(value)).toEqual({
    checks: [{ id: 'run.auth', observed: `got ${MASK}`, n: 1, ok: null }],
    [`x-${MASK}`]: true,
  });
});

test('without secrets nothing is masked', () => {
  const { text, deep } = redactor([null, '']);
  expect(text('Bearer abc')).toBe('Bearer abc');
  expect(deep({ a: [1, 'b'] })).toEqual({ a: [1, 'b'] });
});

test('a short secret is masked as a credential, not in every word that holds it', () => {
  const { text } = redactor(['abc']);
  expect(text('Authorization: Bearer abc, alphabc')).toBe(`Authorization: Bearer ${MASK}, alphabc`);
  expect(text('Bearer abcd')).toBe('Bearer abcd');
});

test('a secret that is a word of results.json leaves the file readable', () => {
  const { deep, file } = redactor(['verdict']);
  const result = { verdict: 'pass', observed: 'Bearer verdict' };
  expect(deep(result)).toEqual({ verdict: 'pass', observed: `Bearer ${MASK}` });
  expect(file(JSON.stringify({ verdict: 'pass' }))).toBe('{"verdict":"pass"}');
});

test.each(['runsync', 'purge-queue', 'status.rate', 'cancel'])('a secret %j leaves the ids readable', (secret) => {
  const { deep } = redactor([secret]);
  const check = { id: `${secret}.guarantee`, observed: `Bearer ${secret}` };
  expect(deep(check)).toEqual({ id: `${secret}.guarantee`, observed: `Bearer ${MASK}` });
});

test('a short secret does not tear the markup of a page', () => {
  expect(redactor(['head']).file('<head></head>')).toBe('<head></head>');
  expect(redactor(['head']).text('is head here')).toBe(`is ${MASK} here`);
});

test('two secrets of which one begins the other are both masked whole', () => {
  expect(redactor(['secret-one', 'secret-one-longer']).text('secret-one-longer secret-one')).toBe(`${MASK} ${MASK}`);
});

test('with any key, anywhere in the base64, it is gone', () => {
  const keys = fc.string({ minLength: 12, maxLength: 40 }).filter((key) => key.trim() === key && !MASK.includes(key));
  fc.assert(
    fc.property(keys, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (key, before, after) => {
      const { text } = redactor([key]);
      expect(text(`${before}${key}${after}`)).not.toContain(key);
      const decoded = Buffer.from(text(base64(`${before}${key}${after}`)).replace(MASK, ''), 'base64').toString();
      expect(decoded).not.toContain(key);
    }),
  );
});
