/** The schema that editors get says the same as what reads the file, and the example is a configuration. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryDirectory } from '../../test/support/cli.ts';
import { openConfig, targetConfig } from './config-file.ts';
import { configSchema, exampleConfig } from './config-schema.ts';

const isValid = new Ajv2020({ allowUnionTypes: true }).addVocabulary(['errorMessage']).compile(configSchema());

test('the example is valid unchanged, and is read', () => {
  expect(isValid(parse(exampleConfig()))).toBe(true);
  const path = join(temporaryDirectory(), 'proofload.yaml');
  writeFileSync(path, exampleConfig());
  const { options, endpoints } = targetConfig(openConfig(path), {});
  expect([...options.keys()]).toEqual(['base-url', 'job-base-url']);
  expect(endpoints).toEqual([{ instId: 'my-endpoint', workersMax: 3, dedicated: false }]);
});

test('every key of the schema is known to what reads the file, and no other', () => {
  const { properties } = configSchema() as { properties: Record<string, unknown> };
  const path = join(temporaryDirectory(), 'proofload.yaml');
  for (const key of [...Object.keys(properties), 'basUrl']) {
    writeFileSync(path, `${key}: null\n`);
    let message = '';
    try {
      targetConfig(openConfig(path), {});
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect([key, message.includes('unknown key')]).toEqual([key, key === 'basUrl']);
  }
});

test.each([
  [{ basUrl: 'http://a' }],
  [{ baseUrl: 'a' }],
  [{ profile: 'nightly-ish' }],
  [{ accessKey: 'sk-secret' }],
  [{ endpoints: [{ workersMax: 3 }] }],
  [{ endpoints: [{ instId: 'a', workersMax: -1 }] }],
  [{ limits: [{ id: 'run.rate', value: 9, window: '10' }] }],
  [{ goals: { run: { p98: '1s' } } }],
  [{ operations: { export: { method: 'SEND', path: '/x' } } }],
  [{ workloads: { quik: 1 } }],
])('an editor marks %j', (config) => {
  expect(isValid(config)).toBe(false);
});

test.each([
  [{ accessKey: `\${KEY}`, endpoints: [{ instId: 7 }], only: ['run.*'], strict: true }],
  [{ baseUrl: `\${URL}`, only: 'run.*', limits: [{ id: 'run.rate', value: 9 }], goals: { run: { p99: '1s' } } }],
])('an editor takes %j', (config) => {
  expect(isValid(config)).toBe(true);
});
