import { expect, test } from 'vitest';
import { chunkNumbersOf, countIn, countingOf, delivered, fromZero, resultsOf, streamStateOf } from './chunks.ts';

test.each([
  ['{"status":"IN_PROGRESS","stream":[{"output":{"chunk":0}},{"output":{"chunk":1}}]}'],
  ['[{"chunk":0},{"chunk":1}]'],
  ['{"output":{"chunk":0}}\n{"output":{"chunk":1}}\n'],
  ['data: {"chunk":0}\n\ndata: {"chunk":1}\n\ndata: [DONE]\n\n'],
  ['data:{"chunk":0}\n\ndata:{"chunk":1}\n\nevent:end\ndata:{"state":"done","output":[{"chunk":0},{"chunk":1}]}\n\n'],
  ['{"chunk":0}\n{"state":"done","stream":[{"chunk":1}]}\n'],
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
  ['event: chunk\r\ndata: {"output":{"i":0}}\r\n\r\nevent: end\r\ndata: {"status":"COMPLETED"}\r\n\r\n', [{ i: 0 }]],
  ['{"seq":0,"chunk":{"word":"a"}}\n{"state":"finished"}\n', [{ seq: 0, chunk: { word: 'a' } }]],
  ['{"state":"finished","parts":["a","b"]}', ['a', 'b']],
  ['{"output":{"i":0}}', [{ i: 0 }]],
  ['{"status":"COMPLETED","stream":[]}', []],
  ['{"state":"finished"}\n', []],
  ['{"error":"gone"}', []],
  ['<p>', []],
])('the results in %s', (text, results) => {
  expect(resultsOf(text)).toEqual(results);
});

test.each([
  ['{"status":"IN_PROGRESS","stream":[]}', 'running'],
  ['{"chunk":0}\n{"state":"finished"}\n', 'completed'],
  [': open\r\n\r\ndata: {"output":1}\r\n\r\nevent: end\r\ndata: {"status":"FAILED"}\r\n\r\n', 'failed'],
  ['[{"chunk":0},{"status":"COMPLETED"}]', 'completed'],
  ['[{"chunk":0}]', 'unknown'],
  ['data: {"output":{"status":"done"}}\n\ndata: [DONE]\n\n', 'unknown'],
])('the state in %s', (text, state) => {
  expect(streamStateOf(text)).toBe(state);
});

test.each<[string, readonly unknown[]]>([
  ['a key', [{ i: 0 }, { i: 1 }, { i: 2 }]],
  ['a text, from 1', ['part 1 of 3', 'part 2 of 3', 'part 3 of 3']],
  ['a key beside words that differ', ['the 2nd', 'word', '1 word'].map((text, index) => ({ text, at: { index } }))],
])('results that count in %s', (_name, results) => {
  const counting = countingOf(results);
  expect(results.map((one) => counting && countIn(one, counting))).toEqual([0, 1, 2]);
});

test.each<[string, readonly unknown[]]>([
  ['one is missing', [{ i: 0 }, { i: 2 }, { i: 3 }]],
  ['one is there twice', [{ i: 0 }, { i: 1 }, { i: 1 }, { i: 2 }]],
  ['they are few', [0, 1]],
  ['they begin far up', [5, 6, 7]],
  ['their number stands in other words each time', ['0 a', '1 b', '2 c']],
  ['they have no number', ['a', 'b', 'c']],
  ['there are none', []],
])('results do not count where %s', (_name, results) => {
  expect(countingOf(results)).toBeNull();
});

test('a result without the number that the others have', () => {
  expect(countIn('the end', { place: ' part # 0', first: 1 })).toBeUndefined();
});

test('numbers from 1 are numbers from 0, when the last one says so', () => {
  expect(fromZero([1, 2, 3, 4], 4)).toEqual([0, 1, 2, 3]);
  expect(fromZero([2, 3, 4], 4)).toEqual([1, 2, 3]);
  expect(fromZero([1, 2, 3], 4)).toEqual([1, 2, 3]);
  expect(fromZero([0, 1, 2, 3], 4)).toEqual([0, 1, 2, 3]);
  expect(fromZero([], 4)).toEqual([]);
});

test.each([
  [
    [[0], [1, 2], [], [3]],
    [0, 1, 2, 3],
  ],
  [
    [
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ],
    [0, 1, 2, 3],
  ],
  [
    [[], [0], [0, 1], [0, 1, 2]],
    [0, 1, 2],
  ],
  [
    [[0, 1, 2], [0]],
    [0, 1, 2, 0],
  ],
  [
    [[0], [0, 1], [1, 2]],
    [0, 1, 1, 2],
  ],
  [
    [
      [0, 0],
      [1, 1],
    ],
    [0, 0, 1, 1],
  ],
])('of %j a reader has %j', (answers, has) => {
  expect(delivered(answers)).toEqual(has);
});
