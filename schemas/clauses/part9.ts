/** Part 9 of the documentation: versioning. */
import { type Clause, gap, promise } from './clause.ts';

export const part9: readonly Clause[] = [
  promise('9', 'versioning.inference', 'Interface A is versioned in its path.', ['models', 'chat', 'completions']),
  promise('9', 'versioning.jobs', 'Interface B is versioned in its path.', ['run', 'status', 'health']),
  gap('9', 'version-policy', 'How versions are introduced, deprecated and kept compatible.'),
];
