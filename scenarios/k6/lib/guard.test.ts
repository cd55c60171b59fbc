import { expect, test, vi } from 'vitest';
import { guarded } from './guard.ts';

const k6 = vi.hoisted(() => ({ test: { abort: vi.fn() } }));
vi.mock('k6/execution', () => ({ test: k6.test }));

test('an iteration gets its arguments and nothing is aborted', () => {
  const seen: number[] = [];
  guarded((a: number, b: number) => void seen.push(a, b))(1, 2);
  expect(seen).toEqual([1, 2]);
  expect(k6.test.abort).not.toHaveBeenCalled();
});

test('an exception aborts the test with its message', () => {
  guarded(() => {
    throw new Error('no address');
  })();
  expect(k6.test.abort).toHaveBeenCalledWith('an iteration failed: Error: no address');
});
