import { expect, test, vi } from 'vitest';
import { outlast } from './clock.ts';

test('it aborts a moment later, for the same reason', () => {
  vi.useFakeTimers();
  const stopper = new AbortController();
  const late = outlast(stopper.signal);
  expect(outlast(stopper.signal)).toBe(late);
  stopper.abort(new Error('stopped'));
  vi.advanceTimersByTime(1999);
  expect(late.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(late.reason).toEqual(new Error('stopped'));
  vi.useRealTimers();
});

test('nothing begins after the end', () => {
  expect(outlast(AbortSignal.abort(new Error('over'))).reason).toEqual(new Error('over'));
});
