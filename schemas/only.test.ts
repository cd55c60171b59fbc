import { expect, test } from 'vitest';
import { matchesOnly } from './only.ts';

test.each([
  [[], 'run.rate.guarantee', true],
  [['run.*'], 'run.rate.guarantee', true],
  [['run.*'], 'runsync.rate.guarantee', false],
  [['*.rate.*'], 'status.rate.shared', true],
  [['run.rate'], 'run.rate.guarantee', false],
  [['cancel.*', '*.payload.*'], 'run.payload.enforced', true],
  [['purge-queue.{rate,load}.*'], 'purge-queue.load.clears-queued', true],
])('%j selects %s: %s', (patterns, id, expected) => {
  expect(matchesOnly(patterns, id)).toBe(expected);
});
