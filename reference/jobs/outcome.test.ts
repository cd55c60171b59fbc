import { expect, test } from 'vitest';
import { loose } from './testing/opened.ts';
import { outcomeOf } from './worker.ts';

const job = { ...loose(1), workerId: 'abc' };

test('each result has its state, and each error its text', () => {
  expect(outcomeOf({ kind: 'completed', output: 1 }, job, 'message')).toEqual({ state: 'COMPLETED', error: null });
  expect(outcomeOf({ kind: 'stopped' }, job, 'message')).toEqual({ state: 'CANCELLED', error: null });
  for (const [kind, words] of [
    ['execution-timeout', 'executionTimeout'],
    ['ttl-expired', 'ttl'],
  ] as const) {
    const { state, error } = outcomeOf({ kind }, job, 'exception');
    expect([state, error]).toEqual(['TIMED_OUT', expect.stringContaining(`job timed out: ${words}`)]);
  }
});

test('a failure shows its message, also of something thrown that is no error', () => {
  expect(outcomeOf({ kind: 'failed', error: new RangeError('no') }, job, 'message')).toEqual({
    state: 'FAILED',
    error: 'no',
  });
  expect(outcomeOf({ kind: 'failed', error: 'plain' }, job, 'message').error).toBe('plain');
});

test('or the exception as a JSON text, which names no file of this machine', () => {
  const { error } = outcomeOf({ kind: 'failed', error: new RangeError('no') }, job, 'exception');
  expect(JSON.parse(error ?? '')).toEqual({
    error_type: 'RangeError',
    error_message: 'no',
    error_traceback: 'RangeError: no\n    at handler',
    hostname: 'worker-abc',
    worker_id: 'abc',
  });
});
