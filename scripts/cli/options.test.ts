import { expect, test } from 'vitest';
import { commandNames, environmentName, type OptionSpec, options, optionsOf, yamlKey } from './options.ts';

const table: readonly OptionSpec[] = options;

test.each([
  ['base-url', 'PROOFLOAD_BASE_URL', 'baseUrl'],
  ['only', 'PROOFLOAD_ONLY', 'only'],
  ['job-base-url', 'PROOFLOAD_JOB_BASE_URL', 'jobBaseUrl'],
])('%s is %s and %s', (name, variable, key) => {
  expect([environmentName(name), yamlKey(name)]).toEqual([variable, key]);
});

test('names are unique, lower case and belong to some command', () => {
  expect(new Set(table.map((option) => option.name)).size).toBe(table.length);
  for (const option of table) {
    expect(option.name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(option.commands.length).toBeGreaterThan(0);
    expect(option.type === 'choice').toBe(option.choices !== undefined);
  }
});

test('a target can be described to every command that uses one', () => {
  for (const command of ['verify', 'conformance', 'load', 'plan'] as const) {
    const names = optionsOf(command).map((option) => option.name);
    for (const name of ['base-url', 'job-base-url', 'inst-id', 'workers-max', 'model', 'dedicated', 'only', 'config']) {
      expect(names).toContain(name);
    }
  }
  expect(commandNames).toContain('serve');
});
