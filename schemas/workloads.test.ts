import { expect, test } from 'vitest';
import { inputFor, takes, workloadNotes, workloadOf } from './workloads.ts';

test('a wish is one of four workloads', () => {
  expect(workloadOf({})).toBe('quick');
  expect(workloadOf({ echo: 1, delay_ms: 0 })).toBe('quick');
  expect(workloadOf({ echo: 1, delay_ms: 5 })).toBe('slow');
  expect(workloadOf({ chunks: 2, delay_ms: 5 })).toBe('streaming');
  expect(workloadOf({ fail: 'no', chunks: 2 })).toBe('failing');
});

test('without a template the wish itself is the input', () => {
  expect(inputFor(undefined, { echo: 'x' })).toEqual({ input: { echo: 'x' } });
  expect(inputFor({ slow: { sleep: 1 } }, { echo: 'x' })).toEqual({ input: { echo: 'x' } });
});

test('places in a template take the values of the wish, in their own type', () => {
  const slow = { prompt: 'say {{echo}}', seconds: '{{delay_ms}}', deep: [{ word: '{{ echo }}' }], steps: 4 };
  expect(inputFor({ slow }, { echo: 'hi', delay_ms: 300 })).toEqual({
    input: { prompt: 'say hi', seconds: 300, deep: [{ word: 'hi' }], steps: 4 },
  });
  const inSeconds = { seconds: '{{delay_s}}', text: '{{delay_s}} s' };
  expect(inputFor({ slow: inSeconds }, { delay_ms: 300 })).toEqual({ input: { seconds: 0.3, text: '0.3 s' } });
  expect(takes({ slow: inSeconds }, 'slow', 'delay_ms')).toBe(true);
  const quick = { value: '{{echo}}', text: 'v={{echo}}' };
  expect(inputFor({ quick }, { echo: { a: [1] } })).toEqual({ input: { value: { a: [1] }, text: 'v={"a":[1]}' } });
  expect(inputFor({ quick }, {})).toEqual({ input: { value: null, text: 'v=null' } });
});

test('a workload that the target lacks has no input; any other template is used unchanged', () => {
  expect(inputFor({ failing: null }, { fail: 'no' })).toBeNull();
  expect(inputFor({ failing: 'boom' }, { fail: 'no' })).toEqual({ input: 'boom' });
  expect(inputFor({ failing: 7 }, { fail: 'no' })).toEqual({ input: 7 });
});

test('what is filled in is not filled again', () => {
  expect(inputFor({ quick: { a: '{{echo}}' } }, { echo: '{{fail}}' })).toEqual({ input: { a: '{{fail}}' } });
});

test('whether a part of a wish reaches the handler', () => {
  const workloads = { quick: { a: 'say {{ echo }}' }, slow: { steps: 4 }, failing: null };
  expect(takes(workloads, 'quick', 'echo')).toBe(true);
  expect(takes(workloads, 'slow', 'delay_ms')).toBe(false);
  expect(takes(workloads, 'failing', 'fail')).toBe(false);
  expect(takes(workloads, 'streaming', 'chunks')).toBe(true);
  expect(takes(undefined, 'quick', 'echo')).toBe(true);
});

test('what templates leave unseen is said in a line each', () => {
  expect(workloadNotes(undefined)).toEqual([]);
  expect(workloadNotes({ quick: 'x', failing: null })).toEqual([
    'workloads.quick has no {{echo}}: checks that distinguish results are inconclusive',
    'workloads.failing is null: checks that need a failing job are skipped',
  ]);
});
