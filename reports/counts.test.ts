import { expect, test } from 'vitest';
import { verdicts } from '../schemas/verdicts.ts';
import { countChecks, countOf } from './counts.ts';

test('each verdict is counted once and the sum is what was emitted', () => {
  const checks = verdicts.flatMap((verdict, index) => Array.from({ length: index + 1 }, () => ({ verdict })));
  const counts = countChecks(checks, 99);
  verdicts.forEach((verdict, index) => {
    expect(countOf(counts, verdict)).toBe(index + 1);
  });
  expect(counts.emitted).toBe(checks.length);
  expect(counts.declared).toBe(99);
});

test('nothing counts nothing', () => {
  const counts = countChecks([], 0);
  expect(Object.values(counts).every((count) => count === 0)).toBe(true);
});
