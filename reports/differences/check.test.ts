import { expect, test } from 'vitest';
import { differencesByCheck } from './check.ts';
import { observed, reported, sent } from './testing/runs.ts';

const job = { id: 'job-1', status: 'COMPLETED', output: 'x', delayTime: 3, workerId: 'w' };

test('the same answers are no difference, with any ids, words and times', () => {
  const other = { workerId: 'other', output: 'x', id: 'job-2', delayTime: 9000, status: 'COMPLETED' };
  expect(reported([sent(job)], [sent(other, { durationMs: 900 })])).toEqual([]);
});

const { workerId: _, ...withoutWorker } = job;

test.each([
  ['a field that is missing', withoutWorker, 'has no `workerId`'],
  ['a field of another type', { ...job, delayTime: '3' }, "`delayTime` is a string, the reference's is a number"],
  ['a field too many', { ...job, extra: 1 }, "has `extra`, which the reference doesn't"],
  ['another word for a state', { ...job, status: 'done' }, "`status` is `done`, the reference's is `COMPLETED`"],
  ['a list where an object was', [job], "the body is an array, the reference's is an object"],
  ['null where text was', { ...job, workerId: null }, "`workerId` is null, the reference's is a string"],
])('%s is reported', (_name, body, sentence) => {
  expect(reported([sent(body)], [sent(job)])).toContain(sentence);
});

test.each([
  ['status', { status: 201 }, 'answers 201 where the reference answers 200'],
  [
    'a header',
    { responseHeaders: { 'content-type': 'application/json', 'Retry-After': '3' } },
    "sends Retry-After, which the reference doesn't",
  ],
  [
    'content type',
    { responseHeaders: { 'content-type': 'text/plain; charset=utf-8' } },
    "the body is sent as `text/plain`, the reference's as `application/json`",
  ],
  ['no JSON', { responseBody: '<p>hello</p>' }, "the body is text that is no JSON, the reference's is JSON"],
  ['no body', { responseBody: '' }, "the body is empty, the reference's is JSON"],
])('%s is reported', (_name, changes, sentence) => {
  expect(reported([sent(job, changes)], [sent(job)])).toEqual([sentence]);
});

test('no answer at all is reported as that', () => {
  const { status: _status, responseHeaders: __, responseBody: ___, ...lost } = sent(job);
  expect(reported([{ ...lost, error: 'ECONNRESET' }], [sent(job)])).toEqual([
    'answers nothing (no answer came) where the reference answers 200',
  ]);
});

test('parameters of a content type, letters of header names and other headers are nothing', () => {
  const responseHeaders = { 'Content-Type': 'Application/JSON; charset=utf-8', server: 'x', date: 'now' };
  expect(reported([sent(job, { responseHeaders })], [sent(job)])).toEqual([]);
});

test('a status that only one side also answers is reported, unless evidence was dropped', () => {
  const both = [sent(job), sent(job, { status: 409 })];
  expect(reported(both, [sent(job)])).toEqual(["also answers 409, which the reference doesn't"]);
  expect(reported([sent(job)], both)).toEqual(['never answers 409, as the reference does']);
  expect(reported([...Array.from({ length: 24 }, () => sent(job)), sent(job, { status: 409 })], [sent(job)])).toEqual(
    [],
  );
});

test('polls of a job are one question: how often, and in which states it was met, is chance', () => {
  const poll = (status: string, more = {}) => sent({ id: 'j', status, ...more }, { method: 'GET', path: '/status/j' });
  const patient = [poll('IN_QUEUE'), poll('IN_PROGRESS', { workerId: 'w' }), poll('COMPLETED', { output: 1 })];
  expect(reported(patient, [poll('COMPLETED', { output: 1 })])).toEqual([]);
  expect(reported([poll('IN_QUEUE')], [poll('IN_PROGRESS')])).toEqual([]);
  expect(reported([poll('COMPLETED', { output: 1 })], [poll('FAILED')])).toEqual([
    "`status` is `COMPLETED`, the reference's is `FAILED`",
  ]);
});

test('requests are paired by their meaning, not by their place', () => {
  const [one, other] = [sent(job), sent({ error: 'no' }, { status: 400, requestBody: '{"input":1}' })];
  expect(reported([one, other], [other, one])).toEqual([]);
  expect(reported([sent(job, { requestBody: 'never asked of the reference' })], [sent({})])).toEqual([]);
});

test('fields that come and go on the reference are ignored', () => {
  const reference = observed({ 'run.a': [sent(job)], 'run.b': [sent(withoutWorker)] });
  expect(differencesByCheck(observed({ 'run.a': [sent(withoutWorker)] }), reference).size).toBe(0);
});

test('a job that was stopped on its way has the fields of how far it had come', () => {
  const cancel = (more: object) => [sent({ id: 'j', status: 'CANCELLED', ...more }, { path: '/cancel/j' })];
  expect(reported(cancel({ delayTime: 3 }), cancel({}))).toEqual([]);
  const started = { startedAt: 'now' };
  expect(reported(cancel({ startedAt: null }), cancel(started))).toEqual([]);
  expect(reported(cancel(started), cancel({ startedAt: null }))).toEqual([]);
  expect(reported(cancel({ startedAt: 3 }), cancel(started))).toEqual([
    "`startedAt` is a number, the reference's is a string",
  ]);
});

test('outputs of a handler are not compared', () => {
  expect(reported([sent({ ...job, output: { a: 1 } })], [sent({ ...job, output: { b: 'x' } })])).toEqual([]);
});

test('waiting is reported where it is certain, and never as a number', () => {
  const poll = (status: string, durationMs: number) => sent({ id: 'j', status }, { path: '/runsync', durationMs });
  expect(reported([poll('IN_PROGRESS', 4)], [poll('COMPLETED', 600)])).toContain(
    'answers at once where the reference waits',
  );
  expect(reported([poll('COMPLETED', 600)], [poll('IN_PROGRESS', 4)])).toContain(
    'waits where the reference answers at once',
  );
  expect(reported([poll('COMPLETED', 4)], [poll('COMPLETED', 600)])).toEqual([]);
});

test('each difference says where it showed', () => {
  const [found] = [...differencesByCheck(observed([sent(withoutWorker)]), observed([sent(job)])).values()].flat();
  expect(found).toMatchObject({ operation: 'run', request: 'POST run', aspect: ['workerId'] });
});

test('the last job of a list that was cut is not compared where its state was cut off', () => {
  const list = (startedAt: string | null, status: string) => {
    const row = JSON.stringify({ id: 'job-2', startedAt, status, more: 'x' });
    const text = `{"requests":[{"id":"job-1","startedAt":"now","status":"FAILED"},${row}`;
    return (end: string) => sent(null, { responseBody: `${text.slice(0, text.lastIndexOf(end))}… (9 characters)` });
  };
  const [ours, theirs] = [list(null, 'COMPLETED'), list('now', 'COMPLETED')];
  expect(reported([ours('"status"')], [theirs('"status"')])).toEqual([]);
  expect(reported([ours('"more"')], [theirs('"more"')])).toEqual([
    "`requests[].startedAt` is null, the reference's is a string",
  ]);
});

test('names of a hostile target are cut and on one line', () => {
  const [sentence = ''] = reported([sent({ ...job, [`a\n\`${'b'.repeat(500)}`]: 1 })], [sent(job)]);
  expect(sentence.length).toBeLessThan(140);
  expect(sentence).not.toContain('\n');
  expect(sentence.split('`')).toHaveLength(3);
});
