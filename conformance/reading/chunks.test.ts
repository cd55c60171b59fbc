import { expect, test } from 'vitest';
import { chunkNumbersOf, resultsOf } from './chunks.ts';

test.each([
  ['{"status":"IN_PROGRESS","stream":[{"output":{"chunk":0}},{"output":{"chunk":1}}]}'],
  ['[{"chunk":0},{"chunk":1}]'],
  ['{"output":{"chunk":0}}\n{"output":{"chunk":1}}\n'],
  ['data: {"chunk":0}\n\ndata: {"chunk":1}\n\ndata: [DONE]\n\n'],
])('numbers out of %s', (text) => {
  expect(chunkNumbersOf(text)).toEqual([0, 1]);
});

test.each(['', '{}', '{"stream":[]}', 'chunk 1', '{"chunk":"1"}', '<p>'])('none in %j', (text) => {
  expect(chunkNumbersOf(text)).toEqual([]);
});

test.each([
  ['{"status":"IN_PROGRESS","stream":[{"output":"a"},{"output":{"b":1}}]}', ['a', { b: 1 }]],
  ['["a","b"]', ['a', 'b']],
  ['{"output":"a"}\n{"output":"b"}\n', ['a', 'b']],
  ['data: {"word":"a"}\n\ndata: {"word":"b"}\n\ndata: [DONE]\n\n', [{ word: 'a' }, { word: 'b' }]],
  ['{"status":"COMPLETED","stream":[]}', []],
  ['{"error":"gone"}', []],
  ['<p>', []],
])('the results in %s', (text, results) => {
  expect(resultsOf(text)).toEqual(results);
});
