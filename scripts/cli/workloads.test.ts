import { expect, test } from 'vitest';
import { UsageError } from '../../schemas/target.ts';
import { inputFor } from '../../schemas/workloads.ts';
import { documentOf, targetConfig } from './config-file.ts';

const read = (text: string, env: Record<string, string> = {}) =>
  targetConfig(documentOf(text, 'staging.yaml'), env).workloads;

test('templates of any shape, and null for what the target lacks', () => {
  const text = `workloads:
  quick: { prompt: 'say {{echo}}', steps: 1 }
  slow: { prompt: '{{echo}}', seconds: '{{delay_ms}}', deep: [ { a: '{{echo}}' } ] }
  streaming: null
  failing: ~
`;
  expect(read(text)).toEqual({
    quick: { prompt: 'say {{echo}}', steps: 1 },
    slow: { prompt: '{{echo}}', seconds: '{{delay_ms}}', deep: [{ a: '{{echo}}' }] },
    streaming: null,
    failing: null,
  });
  expect(read('baseUrl: http://a\n')).toBeNull();
});

test('the environment fills in names at any depth and leaves the places alone', () => {
  const text = `workloads: { quick: { deep: [ 'model \${MODEL} {{echo}}' ], price: '$\{{echo}}' } }\n`;
  const workloads = read(text, { MODEL: 'small' });
  expect(workloads).toEqual({ quick: { deep: ['model small {{echo}}'], price: `$\{{echo}}` } });
  expect(inputFor(workloads ?? {}, { echo: 'x' })).toEqual({ input: { deep: ['model small x'], price: '$x' } });
  expect(() => read(text)).toThrow('staging.yaml:1: workloads.quick.deep.0: the environment variable MODEL is not set');
});

test.each([
  ['workloads: [quick]\n', 'staging.yaml:1: workloads takes quick, slow, streaming, failing'],
  ['workloads:\n  slow: 1\n  quik: 1\n', "staging.yaml:3: unknown key 'quik' of workloads; did you mean 'quick'?"],
  ["workloads:\n  quick: '{{ecco}}'\n", "staging.yaml:2: quick: unknown place {{ecco}}; did you mean 'echo'?"],
  [
    "workloads:\n  slow: { a: '{{seconds}}' }\n",
    'staging.yaml:2: slow: unknown place {{seconds}}; one of echo, delay_ms',
  ],
  ['workloads:\n  slow: { ms: {{delay_ms}} }\n', "staging.yaml:2: a place such as '{{echo}}' needs quotes"],
  ['workloads:\n  quick:\n  slow: 1\n', 'staging.yaml:2: quick has no value; write null'],
  ['workload:\n  quick: 1\n', "unknown key 'workload'; did you mean 'workloads'?"],
])('%j is refused', (text, why) => {
  expect(() => read(text)).toThrow(UsageError);
  expect(() => read(text)).toThrow(why);
});

test('placeholders of others are sent unchanged', () => {
  expect(read(`workloads: { quick: '{{customer_name}} {{echo}}' }\n`)).toEqual({ quick: '{{customer_name}} {{echo}}' });
});
