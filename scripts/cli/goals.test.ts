import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { documentOf, targetConfig } from './config-file.ts';

const goals = (text: string) => targetConfig(documentOf(text, 'pl.yaml'), {}).goals;

const OWN = `operations:
  export: { method: POST, path: /export }
  import: { method: POST, path: /import }
limits:
  - { id: export.rate, kind: requests, operations: [export], value: 50, window: 1s }
  - { id: import.concurrency, kind: concurrent-requests, operations: [import], value: 5 }
`;

const failing = (text: string): string => {
  try {
    goals(text);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it was taken');
};

test('goals by operation, in milliseconds', () => {
  const text =
    'goals:\n  run: { p99: 500ms, max: 2s }\n  chat:\n    firstTokenP95: 1.5 s\n    betweenTokensP50: 80ms\n';
  expect(goals(text)).toEqual([
    { operation: 'run', measure: 'latency', percentile: 'p99', ms: 500 },
    { operation: 'run', measure: 'latency', percentile: 'max', ms: 2000 },
    { operation: 'chat', measure: 'first-token', percentile: 'p95', ms: 1500 },
    { operation: 'chat', measure: 'between-tokens', percentile: 'p50', ms: 80 },
  ]);
});

test.each([
  ['goals: 500ms\n', 'pl.yaml:1: goals takes operations, each with its goals, e.g. run: { p99: 500ms }'],
  ['goals: {}\n', 'pl.yaml:1: goals takes operations'],
  ['goals:\n  run: 500ms\n', 'pl.yaml:2: goals.run takes goals, such as { p99: 500ms }'],
  ['goals:\n  runn: { p99: 500ms }\n', "pl.yaml:2: unknown operation 'runn'; did you mean 'run'?"],
  ['goals:\n  models: { p99: 500ms }\n', 'pl.yaml:2: nothing is measured of models; goals are for chat, run'],
  ['goals:\n  run:\n    p95: 1s\n    p98: 500ms\n', "pl.yaml:4: unknown key 'p98' of goals.run; did you mean"],
  [
    'goals:\n  run: { firstTokenP95: 1s }\n',
    "unknown key 'firstTokenP95' of goals.run; one of p50, p90, p95, p99, max",
  ],
  ['goals:\n  chat: { p99: 1s }\n', "unknown key 'p99' of goals.chat"],
  ['goals:\n  run: { p99: 500 }\n', 'pl.yaml:2: goals.run.p99 takes a time with its unit, such as 500ms, 2s or 1m'],
  ['goals:\n  run: { p99: 0ms }\n', 'p99 takes a time'],
  ['goals:\n  run: { p99: -5ms }\n', 'p99 takes a time'],
  ['goals:\n  run: { p99: soon }\n', 'p99 takes a time'],
  ['goals:\n  run: { p99: [500ms] }\n', 'p99 takes a time'],
])('%j is refused', (text, message) => {
  expect(failing(text)).toContain(message);
});

test('an operation of its own has goals where a rate limit brings it a paced load', () => {
  expect(goals(`goals:\n  export: { p99: 500ms }\n${OWN}`)).toEqual([
    { operation: 'export', measure: 'latency', percentile: 'p99', ms: 500 },
  ]);
  expect(failing(`goals:\n  import: { p99: 1s }\n${OWN}`)).toContain('pl.yaml:2: nothing is measured of import');
  expect(failing(`goals:\n  export: { firstTokenP95: 1s }\n${OWN}`)).toContain("unknown goal 'firstTokenP95'");
  expect(failing(`goals:\n  exprt: { p99: 1s }\n${OWN}`)).toContain("unknown operation 'exprt'; did you mean 'export'");
});

test('only what is measured can have a goal', () => {
  expect(goals('goals:\n  stream: { p99: 1s, firstTokenMax: 1s }\n')).toHaveLength(2);
  expect(goals('goals:\n  health: { p50: 1s }\n')).toHaveLength(1);
});
