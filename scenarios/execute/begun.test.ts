import { expect, test } from 'vitest';
import { encodeEntry, encodeMark } from '../../schemas/ledger.ts';
import { onceBegun } from './line-watch.ts';
import { encodeOwnJob } from './own-jobs.ts';

const entry = (phase: string): string =>
  encodeEntry({
    phase,
    operation: 'run',
    sentMs: 1,
    firstByteMs: 2,
    endMs: 3,
    status: 200,
    error: '',
    note: '["within"',
  });

test('the first entry that is not about the preparation tells that it is over, once', () => {
  let told = 0;
  const each = onceBegun(() => {
    told += 1;
  });
  const before = [encodeMark({ mark: 'start', wallMs: 1, monotonicMs: 1 }), encodeOwnJob('job'), entry('setup'), ''];
  for (const line of before) each(line);
  expect(told).toBe(0);
  each(entry('within'));
  expect(told).toBe(1);
  for (const line of [entry('setup'), entry('beyond')]) each(line);
  expect(told).toBe(1);
});
