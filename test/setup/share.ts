/** For each test file: of a sweep the cases of other commits are skipped, and a property is tried for a while only. */
import fc from 'fast-check';
import { beforeEach, type RunnerTask } from 'vitest';
import { isLeftOut, propertyMs } from './sweeps.ts';

if (propertyMs !== undefined) fc.configureGlobal({ interruptAfterTimeLimit: propertyMs, numRuns: 25 });

const testsOf = (tasks: readonly RunnerTask[]): readonly RunnerTask[] =>
  tasks.flatMap((one) => (one.type === 'suite' ? testsOf(one.tasks) : one));

beforeEach(({ task, skip }) => {
  const { filepath, tasks } = task.file;
  if (isLeftOut(filepath, () => testsOf(tasks).indexOf(task))) skip('in the share of another commit');
});
