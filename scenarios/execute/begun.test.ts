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

test('the first entry after the preparation reports its end, once', () => {
  let reported = 0;
  const each = onceBegun(() => {
    reported += 1;
  });
  const before = [encodeMark({ mark: 'start', wallMs: 1, monotonicMs: 1 }), encodeOwnJob('job'), entry('setup'), ''];
  for (const line of before) each(line);
  expect(reported).toBe(0);
  each(entry('within'));
  expect(reported).toBe(1);
  for (const line of [entry('setup'), entry('beyond')]) each(line);
  expect(reported).toBe(1);
});
