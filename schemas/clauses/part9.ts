/** Part 9 of the documentation: versioning. */
import { type Clause, INFERENCE, section } from './clause.ts';

const { gap, promise, unobservableGap } = section('9');

export const part9: readonly Clause[] = [
  promise('versioning.inference', 'Interface A is versioned in its path.', INFERENCE),
  promise('versioning.jobs', 'Interface B is versioned in its path.', ['run', 'status', 'health']),
  gap('version-policy', 'What is answered below another version, or below none.', [
    'models',
    'run',
    'health',
    'requests',
  ]),
  gap('version-deprecation', 'Whether answers announce the end of the version they belong to.', ['models', 'health']),
  unobservableGap(
    'version-compatibility',
    'What a new version may change for clients of the old one.',
    'two versions of the service side by side, one newer than the other',
    ['models', 'chat', 'completions', 'run', 'runsync', 'status'],
  ),
];
