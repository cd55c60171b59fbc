import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { lastLine, tally } from './last-line.ts';

function file(states: readonly string[], state: string): TestModule {
  const tests = states.map((one) => ({ result: () => ({ state: one }) }));
  return { children: { allTests: () => tests }, state: () => state } as unknown as TestModule;
}

test.each([
  [{ passed: 3, failed: 0, skipped: 0 }, '3 passed, 0 failed'],
  [{ passed: 3, failed: 1, skipped: 2 }, '3 passed, 1 failed, 2 skipped'],
  [{ passed: 0, failed: 1, skipped: 0 }, '0 passed, 1 failed'],
])('%j reads %s', (counts, expected) => {
  expect(lastLine(counts)).toBe(expected);
});

test('counts the tests of all files', () => {
  const modules = [file(['passed', 'passed', 'skipped'], 'passed'), file(['failed', 'passed'], 'failed')];
  expect(tally(modules, 0)).toEqual({ passed: 3, failed: 1, skipped: 1 });
});

test('a file that does not load, a test that never ended and an uncaught error are failures', () => {
  expect(tally([file([], 'failed')], 0).failed).toBe(1);
  expect(tally([file(['pending'], 'failed')], 0).failed).toBe(1);
  expect(tally([file(['passed'], 'passed')], 2).failed).toBe(2);
});
