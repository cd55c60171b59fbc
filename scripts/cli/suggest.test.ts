import { expect, test } from 'vitest';
import { suggestion } from './suggest.ts';

test.each([
  ['bas-url', ['base-url', 'job-base-url'], '--', "; did you mean '--base-url'?"],
  ['verfy', ['verify', 'serve'], '', "; did you mean 'verify'?"],
  ['run.rates.guarantee', ['run.rate.guarantee', 'run.rate.enforced'], '', "; did you mean 'run.rate.guarantee'?"],
  ['nothing', ['verify', 'serve'], '', ''],
  ['x', [], '', ''],
])('%s among %j', (given, known, prefix, expected) => {
  expect(suggestion(given, known, prefix)).toBe(expected);
});
