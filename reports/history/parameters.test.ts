import { expect, test } from 'vitest';
import type { Results } from '../../schemas/results.ts';
import { sampleResults } from '../testing/fixtures.ts';
import { differingParameters, parametersOf, parameterWords } from './parameters.ts';

const sample = sampleResults('failing');
const asked = { contract: true, load: true, only: [], goals: {} };
const base: Results = { ...sample, run: { ...sample.run, asked } };

const differing = (now: Results, before: Results = base): string[] =>
  differingParameters(parametersOf(before), parametersOf(now)).map(parameterWords);

test('another version, other times and another outcome are no other parameters', () => {
  const run = {
    ...base.run,
    id: 'another',
    startedAt: '2027-01-01T00:00:00.000Z',
    suiteVersion: '9.0.0',
    k6Version: null,
  };
  expect(differing({ ...sampleResults('passing'), target: base.target, run })).toEqual([]);
});

test.each([
  ['profile', { run: { ...base.run, profile: 'nightly' } }, 'profile "gate", now "nightly"'],
  ['address', { target: { ...base.target, baseUrl: null } }, 'baseUrl "http://127.0.0.1:40123", now null'],
  ['selection', { run: { ...base.run, asked: { ...asked, only: ['run.*'] } } }, 'only [], now ["run.*"]'],
  ['part', { run: { ...base.run, asked: { ...asked, load: false } } }, 'load true, now false'],
  [
    'goal',
    { run: { ...base.run, asked: { ...asked, goals: { 'goal.run.p99': 5 } } } },
    'goals not given, now {"goal.run.p99":5}',
  ],
  ['model', { target: { ...base.target, model: 'other' } }, 'model "acme/base-70b", now "other"'],
  [
    'workloads',
    { target: { ...base.target, workloads: { failing: null } } },
    'workloads not given, now {"failing":null}',
  ],
] as const)('another %s is another parameter, and is named', (_, change, words) => {
  expect(differing({ ...base, ...change } as Results)).toEqual([words]);
});

test('the order of properties says nothing', () => {
  const [one, two] = [
    { instId: 'a', workersMax: 1, dedicated: true },
    { dedicated: true, instId: 'a', workersMax: 1 },
  ];
  const having = (endpoint: typeof one): Results => ({ ...base, target: { ...base.target, endpoints: [endpoint] } });
  expect(differing(having(one), having(two))).toEqual([]);
});

test('the port of the embedded reference says nothing either', () => {
  const at = (baseUrl: string): Results => ({
    ...base,
    target: { ...base.target, kind: 'reference', baseUrl, jobBaseUrl: baseUrl },
  });
  expect(differing(at('http://127.0.0.1:1'), at('http://127.0.0.1:2'))).toEqual([]);
});

test('what the target takes and serves says nothing either', () => {
  expect(differing(base, { ...base, target: { ...base.target, takesMaxTokens: false } })).toEqual([]);
});

test('what an earlier version did not write down is not taken to be equal', () => {
  expect(differing(base, sample).map((words) => words.split(' ')[0])).toEqual(['contract', 'load', 'only']);
});

test('a model of a hostile name is shown and never obeyed', () => {
  const [words = ''] = differing({ ...base, target: { ...base.target, model: `\u001b[31m\u202e${'x'.repeat(900)}` } });
  expect(words).toMatch(/^model "acme\/base-70b", now "\\u001b\[31m\[U\+202E\]x+… \(\d+ more characters\)$/);
});
