/** What counts as a token, however an answer is cut into pieces. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completionTokens, resultTokens, type TokenReader } from './tokens.ts';

const event = (delta: unknown) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const completion = [
  event({ role: 'assistant', content: '' }),
  event({ content: 'One' }),
  ': a comment\n\n',
  event({ content: ' two' }),
  event({ reasoning_content: 'hm' }),
  event({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }),
  `data: ${JSON.stringify({ choices: [{ index: 0, text: ' three' }] })}\r\n\r\n`,
  event({}),
  `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 3 } })}\n\n`,
  'data: [DONE]\n\n',
].join('');

const pieces = (text: string, cuts: readonly number[]): string[] => {
  const ends = [...new Set(cuts.map((cut) => cut % text.length))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, index, all) => text.slice(all[index - 1] ?? 0, end));
};
const total = (reader: TokenReader, parts: readonly string[]) =>
  parts.reduce((sum, piece) => sum + reader.read(piece), 0);

test('events that hold what a model made are tokens; roles, ends, usage and comments are none', () => {
  expect(completionTokens().read(completion)).toBe(5);
});

test('a completion has the same tokens however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(total(completionTokens(), pieces(completion, cuts))).toBe(5);
    }),
  );
});

test('results have the same numbers however an answer is cut', () => {
  const answer = JSON.stringify({
    status: 'IN_PROGRESS',
    stream: [10, 11, 112].map((chunk) => ({ output: { chunk } })),
  });
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(total(resultTokens(), pieces(answer, cuts))).toBe(3);
    }),
  );
});

test('a result that a later answer repeats is not news', () => {
  const reader = resultTokens();
  expect(reader.read('{"stream":[{"output":{"chunk":0}}]}')).toBe(1);
  reader.answerOver();
  expect(reader.read('{"stream":[{"output":{"chunk":0}},{"output":{"chunk":1}}]}')).toBe(1);
  reader.answerOver();
  expect(reader.read('{"stream":[]}')).toBe(0);
});

test.each([
  '<html>no</html>',
  'data: {"choices":"none"}\n\n',
  'data: null\n\n',
  '{"choices":[{"delta":{"content":"x"}}]}',
])('what is no event of a completion holds no token: %s', (text) => {
  expect(completionTokens().read(text)).toBe(0);
});
