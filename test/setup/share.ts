/** For each test file: of a sweep the cases of other commits are skipped, and a property is tried for a while only. */
import fc from 'fast-check';
import { beforeEach } from 'vitest';
import { isLeftOut, propertyMs } from './sweeps.ts';

if (propertyMs !== undefined) fc.configureGlobal({ interruptAfterTimeLimit: propertyMs, numRuns: 25 });

beforeEach(({ task, skip }) => {
  if (isLeftOut(task.file.filepath, task.fullTestName)) skip('in the share of another commit');
});
