import { expect, test } from 'vitest';
import { choicesOf, textOf, thoughtOf } from './completions.ts';

test('choices are those of a list, and else none', () => {
  expect(choicesOf({ choices: [1, 2] })).toEqual([1, 2]);
  for (const body of [undefined, null, [], 'x', { choices: { 0: 1 } }]) expect(choicesOf(body)).toEqual([]);
});

test('the text of a choice, whole and in a stream', () => {
  expect(textOf('chat', { message: { content: 'whole' } })).toBe('whole');
  expect(textOf('chat', { delta: { content: 'piece' } })).toBe('piece');
  expect(textOf('completions', { text: 'whole' })).toBe('whole');
  expect(textOf('completions', { message: { content: 'chat' } })).toBeUndefined();
});

test('what a reasoning model thinks, by either name', () => {
  expect(thoughtOf({ delta: { reasoning_content: 'hm' } })).toBe('hm');
  expect(thoughtOf({ message: { content: null, reasoning: 'so' } })).toBe('so');
  expect(thoughtOf({ text: 'said' })).toBeUndefined();
});
