/** What proves that an output came back, and what does not, however it looks. */
import { expect, test } from 'vitest';
import { idKeyOf, jobIdOf, notUnderstood, outputOf } from './job-answer.ts';
import { changeBetween, mentionsRun, withoutSent } from './our-words.ts';

const word = 'pl-20261121-181204-2474-025ff6ad807e1a54';

test.each<[unknown, unknown]>([
  [word, word],
  [{ text: word }, word],
  [{ job_id: 7, state: 'finished', answer: { said: word } }, { said: word }],
  [{ job: { id: 7, state: 2, answer: word } }, word],
  [{ input: { echo: word }, status: 'done', answer: word }, word],
  [{ answer: [word] }, [word]],
  [{ output: 'named', answer: word }, 'named'],
])('%j holds an output', (body, output) => {
  expect(outputOf(body)).toEqual(output);
});

test.each([
  { input: { echo: word } },
  { id: 'j', request: { input: { echo: word } } },
  { id: 'j', data: { input: { echo: word } } },
  { status: 'IN_QUEUE', echo: word },
  { status: 'FAILED', message: word },
  { state: 3, reason: word },
  { answer: 'something else' },
  'plain',
])('%j holds none', (body) => {
  expect(outputOf(body)).toBeUndefined();
});

test('a word of an output is no job id', () => {
  expect(jobIdOf(word)).toBeNull();
  expect(idKeyOf({ job: { job_id: 3 } })).toBe('jobid');
  expect(idKeyOf({ ticket: 3 })).toBeNull();
});

test('a state that stands there without a meaning to us is named', () => {
  expect(notUnderstood({ state: 2 })).toBe('unknown state 2');
  expect(notUnderstood({ job: { status: 'ready' } })).toBe('unknown state "ready"');
  for (const body of [{ status: 'COMPLETED' }, {}, null]) expect(notUnderstood(body)).toBeNull();
});

test('a change is a status, unless it is the output, a time or an id', () => {
  expect(changeBetween({ state: 1 }, { state: 2, answer: word })).toBe('state: 1, then 2');
  expect(changeBetween({}, { done: true })).toBe('done: nothing, then true');
  expect(changeBetween({ job: { phase: 'a' } }, { job: { phase: 'b' } })).toContain('phase');
  expect(changeBetween({ id: 1, at: 1 }, { id: 2, at: 2, delayTime: 3, endedAt: 4, answer: word })).toBeNull();
});

test('the request is left out, the output is not', () => {
  expect(withoutSent({ input: 1, job: { id: 2, input: 1, output: { input: 3 } } })).toEqual({
    job: { id: 2, output: { input: 3 } },
  });
});

test('words of this run are distinguished from those of others', () => {
  expect(mentionsRun({ a: [word] }, '20261121-181204-2474')).toBe(true);
  expect(mentionsRun({ a: [word] }, 'other')).toBe(false);
});
