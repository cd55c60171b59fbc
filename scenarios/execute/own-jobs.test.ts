import { expect, test } from 'vitest';
import { encodeEntry } from '../../schemas/ledger.ts';
import { encodeOwnJob, separateOwnJobs } from './own-jobs.ts';

const entry = encodeEntry({
  phase: 'hold',
  operation: 'run',
  sentMs: 1,
  firstByteMs: 2,
  endMs: 2,
  status: 200,
  error: '',
  note: '',
});

test('the ids of jobs are taken out of a ledger, which is otherwise unchanged', () => {
  const text = `${entry}\n${encodeOwnJob('a"b')}\n${entry}\n${encodeOwnJob('c')}\n`;
  expect(separateOwnJobs(text)).toEqual({ ledger: `${entry}\n${entry}\n`, jobIds: ['a"b', 'c'] });
});

test('a torn line stays, so that the analysis counts it', () => {
  expect(separateOwnJobs('{"ownJob":"a').ledger).toBe('{"ownJob":"a');
  expect(separateOwnJobs('{"ownJob":7}').jobIds).toEqual([]);
});

test('nothing in, nothing out', () => {
  expect(separateOwnJobs('')).toEqual({ ledger: '', jobIds: [] });
});
