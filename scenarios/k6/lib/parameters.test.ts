import { expect, test } from 'vitest';
import { parseParameters, type ScriptParameters } from './parameters.ts';

const given: ScriptParameters = {
  probe: {
    kind: 'unlimited',
    instId: 'inst-1',
    operation: 'health',
    vus: 2,
    periodMs: 5,
    durationMs: 100,
    windowMs: 1000,
  },
  addresses: { baseUrl: null, jobBaseUrl: 'http://127.0.0.1:1', model: null, instId: 'inst-1', runId: 'run-1' },
  workersMax: null,
  patienceMs: 1000,
};

test('parameters come through JSON as they were', () => {
  expect(parseParameters(JSON.stringify(given), 'unlimited')).toEqual(given);
});

test('a script refuses parameters of another kind', () => {
  expect(() => parseParameters(JSON.stringify(given), 'rate')).toThrow(/a unlimited probe, not rate/);
});
