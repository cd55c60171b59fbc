import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeded } from '../../schemas/seeded.ts';
import { generate, hash, type TextRequest } from './text.ts';
import { countTokens, splitTokens } from './tokens.ts';

const base: TextRequest = { model: 'm', prompt: 'hi', seed: 0, index: 0, maxTokens: null, cap: 4096, stop: [] };
const textOf = (change: Partial<TextRequest>): string => generate({ ...base, ...change }).tokens.join('');

test('the same question gets the same text; another seed, choice, model or prompt gets another', () => {
  const text = textOf({});
  expect(textOf({})).toBe(text);
  const others = [textOf({ seed: 1 }), textOf({ index: 1 }), textOf({ model: 'n' }), textOf({ prompt: 'ho' })];
  expect(new Set([text, ...others]).size).toBe(5);
});

test('without a length the answer is short and ends by itself', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer(), (prompt, seed) => {
      const { tokens, finish } = generate({ ...base, prompt, seed });
      expect(tokens.length).toBeGreaterThanOrEqual(8);
      expect(tokens.length).toBeLessThan(20);
      expect(finish).toBe('stop');
    }),
  );
});

test('with a length the answer has exactly that many tokens, up to the cap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 800 }), fc.string(), (maxTokens, prompt) => {
      const { tokens, finish } = generate({ ...base, maxTokens, prompt, cap: 500 });
      expect(tokens).toHaveLength(Math.min(500, maxTokens));
      expect(finish).toBe('length');
      expect(countTokens(tokens.join(''))).toBe(tokens.length);
    }),
    { numRuns: 50 },
  );
});

test('the text ends before the first stop text, across any tokens', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(60), fc.integer({ min: 1, max: 8 }), (seed, from, length) => {
      const full = textOf({ seed, maxTokens: 30 });
      const stop = full.slice(from, from + length);
      const { tokens, finish } = generate({ ...base, seed, maxTokens: 30, stop: ['never there', stop] });
      const text = tokens.join('');
      if (stop === '') expect(text).toBe(full);
      else {
        expect(text).toBe(full.slice(0, full.indexOf(stop)));
        expect(finish).toBe('stop');
      }
    }),
  );
});

test('a fixed text is cut by the length and by nothing else', () => {
  const fixed = '{"answer":"the limit holds"}';
  expect(generate({ ...base, fixed })).toMatchObject({ finish: 'stop' });
  expect(textOf({ fixed })).toBe(fixed);
  const cut = generate({ ...base, fixed, maxTokens: 3 });
  expect(cut).toMatchObject({ finish: 'length' });
  expect(cut.tokens).toHaveLength(3);
  expect(generate({ ...base, fixed, maxTokens: 100 })).toMatchObject({ finish: 'stop' });
});

test('tokens joined together are the text, and as many as are counted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(splitTokens(text).join('')).toBe(text);
      expect(countTokens(text)).toBe(splitTokens(text).length);
    }),
  );
  expect(countTokens('Hello, world 42!')).toBe(5);
  expect(countTokens('')).toBe(0);
});

test('seeded numbers depend on the seed alone, lie in [0, 1) and spread', () => {
  const [one, two] = [seeded(5), seeded(5)];
  const numbers = Array.from({ length: 2000 }, () => one());
  expect(numbers).toEqual(Array.from({ length: 2000 }, () => two()));
  expect(numbers.every((value) => value >= 0 && value < 1)).toBe(true);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  expect(hash('a')).not.toBe(hash('b'));
  expect(hash('')).toBe(0x811c9dc5);
});
