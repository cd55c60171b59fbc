import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../schemas/facts.ts';
import { Evidence, Masker, shorten } from './evidence.ts';

const KEY = 'sk-secret-0123456789';
const masker = new Masker([KEY, null, '']);

function exchange(more: Partial<Exchange> = {}): Exchange {
  return { method: 'GET', url: 'http://target.local/v1/models', requestHeaders: {}, durationMs: 1, ...more };
}

test('a bearer is masked, its scheme stays', () => {
  const masked = masker.exchange(exchange({ requestHeaders: { authorization: `Bearer ${KEY}` } }));
  expect(masked.requestHeaders).toEqual({ authorization: 'Bearer ***' });
});

test.each([`${KEY}`, 'just-something'])('a credential without a scheme is masked whole: %s', (value) => {
  expect(masker.headers({ Authorization: value })).toEqual({ Authorization: '***' });
});

test('cookies are masked in both directions', () => {
  const masked = masker.exchange(
    exchange({ requestHeaders: { cookie: 'a=b' }, responseHeaders: { 'set-cookie': 'a=b' } }),
  );
  expect(JSON.stringify(masked)).not.toContain('a=b');
});

test('a key that the target echoes is masked everywhere', () => {
  const masked = masker.exchange(
    exchange({
      url: `http://target.local/?key=${KEY}`,
      requestBody: KEY,
      status: 200,
      responseHeaders: { 'x-echo': `got ${KEY}` },
      responseBody: `you sent ${KEY}, twice ${KEY}`,
      error: `refused ${KEY}`,
    }),
  );
  expect(JSON.stringify(masked)).not.toContain(KEY);
  expect(masked.responseBody).toBe('you sent ***, twice ***');
});

test('an empty or tiny key masks nothing, or everything would be stars', () => {
  expect(new Masker(['', 'a', null]).text('banana')).toBe('banana');
});

test('a key that was made from another one is masked too, and whole', () => {
  const own = new Masker([KEY]);
  own.learn(`${KEY}x`);
  own.learn(`${KEY}x`);
  own.learn('abc');
  expect(own.text(`no key ${KEY}x, but ${KEY} and abc`)).toBe('no key ***, but *** and abc');
});

test('absent parts stay absent', () => {
  expect(Object.keys(masker.exchange(exchange()))).toEqual(['method', 'url', 'requestHeaders', 'durationMs']);
});

test('long bodies are shortened and say how long they were', () => {
  const long = 'x'.repeat(5000);
  expect(shorten(long)).toMatch(/^x{2000}… \(5000 characters\)$/);
  expect(shorten('short')).toBe('short');
  expect(masker.exchange(exchange({ responseBody: long })).responseBody?.length).toBeLessThan(2100);
});

test('of many exchanges the first and the last are kept, in order', () => {
  const evidence = new Evidence();
  for (let index = 0; index < 100; index += 1) evidence.add(exchange({ durationMs: index }));
  const kept = evidence.list().map((one) => one.durationMs);
  expect(kept.length).toBe(24);
  expect([kept[0], kept.at(-1)]).toEqual([0, 99]);
  expect([...kept].sort((a, b) => a - b)).toEqual(kept);
});

test('a credential that was made up is shown, and what in it comes from a key is not', () => {
  const masker = new Masker(['sk-real-key']);
  masker.learn('sk-real-keX');
  const raw = { method: 'GET', url: 'http://x.local/', requestHeaders: { authorization: 'x' }, durationMs: 1 };
  const seen = (madeUp: string | null): string | undefined => masker.exchange(raw, madeUp).requestHeaders.authorization;
  expect(seen('Bearer no-such-key')).toBe('Bearer no-such-key');
  expect(seen('Basic sk-real-key')).toBe('Basic ***');
  expect(seen('Bearer sk-real-keX')).toBe('Bearer ***');
  expect(seen(null)).toBe('***');
});

test('a key is found with any characters, in any place', () => {
  const odd = fc.string({ unit: 'grapheme', minLength: 4 });
  fc.assert(
    fc.property(fc.array(odd, { minLength: 1, maxLength: 5 }), fc.nat(), odd, odd, (keys, which, before, after) => {
      const [first = '', ...learnt] = keys;
      const own = new Masker([first]);
      for (const key of learnt) own.learn(key);
      const key = keys[which % keys.length] ?? '';
      const masked = own.text(`${before}${key}${after}`);
      expect(masked).toContain('***');
      expect(keys.filter((one) => masked.replaceAll('***', '\u0000').includes(one))).toEqual([]);
    }),
  );
});

test('without a key nothing is masked', () => {
  expect(new Masker([null]).text('')).toBe('');
  expect(new Masker([]).text('Bearer x')).toBe('Bearer x');
});
