/** Log-probabilities: distributions that add up to less than everything, the same whole and in pieces. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { field } from '../testing/harness.ts';
import { chatLogprobs, logprobOf, textLogprobs } from './logprobs.ts';
import { splitTokens } from './tokens.ts';

const someText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
const tokensOf = (text: string): string[] => splitTokens(text);

const entriesOf = (reported: object): unknown[] => {
  const content = field(reported, 'content');
  return Array.isArray(content) ? content : [];
};

test('chat: as many alternatives as requested, all different, likeliest first, together below 1', () => {
  fc.assert(
    fc.property(someText, fc.integer({ min: 0, max: 20 }), (text, top) => {
      for (const entry of entriesOf(chatLogprobs(tokensOf(text), top))) {
        const alternatives = field(entry, 'top_logprobs');
        if (!Array.isArray(alternatives)) throw new Error('no alternatives');
        expect(alternatives).toHaveLength(top);
        expect(new Set(alternatives.map((one) => field(one, 'token'))).size).toBe(top);
        const logprobs = alternatives.map((one) => Number(field(one, 'logprob')));
        expect(logprobs).toEqual([...logprobs].sort((one, other) => other - one));
        expect(logprobs.reduce((sum, one) => sum + Math.exp(one), 0)).toBeLessThan(1);
        expect(Number(field(entry, 'logprob'))).toBeLessThan(0);
        const own = alternatives.find((one) => field(one, 'token') === field(entry, 'token'));
        if (own !== undefined) expect(field(own, 'logprob')).toBe(field(entry, 'logprob'));
        else expect(logprobs.every((one) => one > Number(field(entry, 'logprob')))).toBe(true);
      }
    }),
  );
});

test('chat: the bytes of a token are its UTF-8, and of three alternatives the chosen one is always one', () => {
  const tokens = tokensOf('Grüße, 世界 are words too');
  for (const [at, entry] of entriesOf(chatLogprobs(tokens, 3)).entries()) {
    const bytes = field(entry, 'bytes');
    expect(Buffer.from(Array.isArray(bytes) ? bytes : []).toString()).toBe(tokens[at]);
    expect(field(entry, 'top_logprobs')).toContainEqual({
      token: tokens[at],
      logprob: logprobOf(tokens[at] ?? '', at),
      bytes,
    });
  }
});

test('the chosen token is mostly the likeliest, and not always', () => {
  const entries = entriesOf(
    chatLogprobs(
      Array.from({ length: 1000 }, (_, at) => ` w${at}`),
      1,
    ),
  );
  const first = entries.filter((one) => field(one, 'top_logprobs', 0, 'token') === field(one, 'token')).length;
  expect(first).toBeGreaterThan(800);
  expect(first).toBeLessThan(950);
});

test('piece by piece they are the same as at once', () => {
  fc.assert(
    fc.property(someText, fc.nat(5), (text, top) => {
      const tokens = tokensOf(text);
      const pieces = tokens.flatMap((token, at) => entriesOf(chatLogprobs([token], top, at)));
      expect(pieces).toEqual(entriesOf(chatLogprobs(tokens, top)));
    }),
  );
});

test('text: the chosen token comes with the alternatives, and offsets lead to the tokens', () => {
  fc.assert(
    fc.property(someText, fc.nat(5), fc.nat(9), (text, top, offset) => {
      const tokens = tokensOf(text);
      const reported = textLogprobs(tokens, top, 0, offset);
      expect(reported.tokens).toEqual(tokens);
      tokens.forEach((token, at) => {
        const alternatives = reported.top_logprobs[at] ?? {};
        expect([top, top + 1]).toContain(Object.keys(alternatives).length);
        expect(alternatives[token]).toBe(reported.token_logprobs[at]);
        const from = (reported.text_offset[at] ?? 0) - offset;
        expect(text.slice(from, from + token.length)).toBe(token);
      });
    }),
  );
});

test('text: nothing comes before the first token of a prompt, so it has no probability', () => {
  const reported = textLogprobs(['Once', ' upon', ' a'], 2, -2, 0);
  expect([reported.token_logprobs[0], reported.top_logprobs[0]]).toEqual([null, null]);
  expect(reported.token_logprobs.slice(1).every((one) => one !== null && one < 0)).toBe(true);
});
