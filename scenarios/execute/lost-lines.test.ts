/** What k6 says when it cannot write, and what it says otherwise. */
import { expect, test } from 'vitest';
import { lostLines, lostLinesIn } from './line-watch.ts';

test('each line that was dropped is counted, with the reason', () => {
  const complaint = 'Failed to write to log, write /tmp/ledger: no space left on device';
  expect(lostLines(`${complaint}\n${complaint}\nproofload: k6 ended with exit code 0\n`)).toEqual({
    lines: 2,
    why: 'no space left on device',
  });
});

test('a log without a complaint, and none at all, show no loss', async () => {
  expect(lostLines('proofload: k6 ended with exit code 0\n')).toBeUndefined();
  expect(await lostLinesIn('/does/not/exist')).toBeUndefined();
});
