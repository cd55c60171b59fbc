/** For each test file: of a sweep the cases of other commits are skipped. */
import { beforeEach } from 'vitest';
import { isLeftOut } from './sweeps.ts';

beforeEach(({ task, skip }) => {
  if (isLeftOut(task.file.filepath, task.name)) skip('in the share of another commit');
});
