/** Part 9 of the documentation: versioning. */
import { type Clause, gap, promise, unobservableGap } from './clause.ts';

export const part9: readonly Clause[] = [
  promise('9', 'versioning.inference', 'Interface A is versioned in its path.', ['models', 'chat', 'completions']),
  promise('9', 'versioning.jobs', 'Interface B is versioned in its path.', ['run', 'status', 'health']),
  gap('9', 'version-policy', 'What is answered below another version, or below none.', [
    'models',
    'run',
    'health',
    'requests',
  ]),
  gap('9', 'version-deprecation', 'Whether answers announce the end of the version they belong to.', [
    'models',
    'health',
  ]),
  unobservableGap(
    '9',
    'version-compatibility',
    'What a new version may change for clients of the old one.',
    'two versions of the service side by side, one newer than the other',
    ['models', 'chat', 'completions', 'run', 'runsync', 'status'],
  ),
];
