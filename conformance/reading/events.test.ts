import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Piece } from '../target/reply.ts';
import { chunksOf, DONE, readEvents } from './events.ts';

const whole = (text: string): Piece[] => [{ atMs: 1, text }];
const datas = (pieces: readonly Piece[]): string[] => readEvents(pieces).events.map((one) => one.data);

test('events are separated by blank lines', () => {
  expect(datas(whole('data: {"a":1}\n\ndata: [DONE]\n\n'))).toEqual(['{"a":1}', '[DONE]']);
});

test('several data lines are one event; one blank after the colon is dropped', () => {
  expect(datas(whole('data:  two\ndata\ndata:lines\n\n'))).toEqual([' two\n\nlines']);
});

test('comments and other fields carry nothing and are no garbage', () => {
  const stream = readEvents(whole(': keep-alive\n\nevent: x\nid: 1\nretry: 5\ndata: y\n\n'));
  expect([stream.events.map((one) => one.data), stream.garbage]).toEqual([['y'], []]);
});

test('a line that is no field is garbage', () => {
  expect(readEvents(whole('{"a":1}\n\n')).garbage).toEqual(['{"a":1}']);
});

test('a byte order mark is passed over at the beginning alone', () => {
  const pieces = (...texts: readonly string[]) => texts.map((text, atMs) => ({ atMs, text }));
  const { events, garbage } = readEvents(pieces('', '\ufeffdata: a\n\n', '\ufeffdata: b\n\n'));
  expect([events, garbage]).toEqual([[{ data: 'a', atMs: 1 }], ['\ufeffdata: b']]);
});

test('what was cut off is unfinished', () => {
  const stream = readEvents(whole('data: a\n\ndata: {"b":'));
  expect([stream.events.length, stream.unfinished]).toEqual([1, 'data: {"b":']);
  expect(readEvents(whole('data: a\n\ndata: b\n')).unfinished).toBe('b');
});

test('an event arrives with its last piece', () => {
  const stream = readEvents([
    { atMs: 1, text: 'data: a\n\nda' },
    { atMs: 9, text: 'ta: b\n' },
    { atMs: 12, text: '\n' },
  ]);
  expect(stream.events).toEqual([
    { data: 'a', atMs: 1 },
    { data: 'b', atMs: 12 },
  ]);
});

test('it does not matter where pieces are cut nor how lines end', () => {
  const lines = fc.array(fc.stringMatching(/^[a-z{}":, ]{1,12}$/), { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.nat(80), { maxLength: 8 });
  fc.assert(
    fc.property(lines, fc.constantFrom('\n', '\r\n', '\r'), cuts, (events, end, places) => {
      const text = events.map((one) => `data: ${one}${end}${end}`).join('');
      const edges = [0, ...places.filter((one) => one < text.length).sort((a, b) => a - b), text.length];
      const pieces = edges.slice(1).map((edge, index) => ({ atMs: index, text: text.slice(edges[index], edge) }));
      // A last CR can't be told from half a CRLF until the stream goes on.
      const expected = end === '\r' ? events.slice(0, -1) : events;
      expect(datas(pieces).slice(0, expected.length)).toEqual(expected);
    }),
  );
});

test('chunks are the JSON of all events but the last word', () => {
  expect(chunksOf(readEvents(whole(`data: {"a":1}\n\ndata: no\n\ndata: ${DONE}\n\n`)))).toEqual([{ a: 1 }, undefined]);
});
