import { expect, test } from 'vitest';
import { canMove, isFinal, jobStates } from './states.ts';

test('the four final states are those the clients know, and nothing leaves them', () => {
  expect(jobStates.filter(isFinal)).toEqual(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
  for (const from of jobStates.filter(isFinal)) {
    for (const to of jobStates) expect(canMove(from, to)).toBe(false);
  }
});

test('a job cannot complete or fail without having run', () => {
  expect(canMove('IN_QUEUE', 'COMPLETED')).toBe(false);
  expect(canMove('IN_QUEUE', 'FAILED')).toBe(false);
  expect(canMove('IN_QUEUE', 'IN_PROGRESS')).toBe(true);
});

test('a job never goes back into the queue', () => {
  for (const from of jobStates) expect(canMove(from, 'IN_QUEUE')).toBe(false);
});

test('every unfinished job can be cancelled and can time out', () => {
  for (const from of ['IN_QUEUE', 'IN_PROGRESS'] as const) {
    expect(canMove(from, 'CANCELLED')).toBe(true);
    expect(canMove(from, 'TIMED_OUT')).toBe(true);
  }
});
