/** The JSON Schema of the file of `--config`, for editors; and the file that `proofload init` writes, with a comment for each key. */
import { type OptionSpec, optionsOf, secrets, yamlKey } from './options.ts';

/** Beside the configuration, so that editors find it without a network. */
export const SCHEMA_FILE = 'proofload.schema.json';

const inFile = (): readonly OptionSpec[] => optionsOf('verify').filter(({ yaml }) => yaml !== false);

export function configSchema(): Record<string, unknown> {
  const text = { type: 'string', minLength: 1 };
  const options = inFile().map((spec) => [yamlKey(spec.name), { description: spec.describe, ...typeOf(spec) }]);
  const keys = secrets.map((name) => [
    yamlKey(name),
    {
      description: 'a reference to the environment, never the key itself',
      type: 'string',
      pattern: '^\\$\\{[^}]+\\}$',
    },
  ]);
  const endpoint = {
    type: 'object',
    additionalProperties: false,
    required: ['instId'],
    properties: {
      instId: { description: 'endpoint instance of interface B', anyOf: [text, { type: 'integer' }] },
      workersMax: { description: 'its WorkersMax', type: 'integer', minimum: 0 },
      dedicated: { description: 'whether its queue may be filled and purged', type: 'boolean' },
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'configuration of proofload',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(options),
      ...Object.fromEntries(keys),
      endpoints: { description: 'instances with settings of their own', type: 'array', minItems: 1, items: endpoint },
      workloads: { description: 'what makes the deployed handler quick, slow, streaming or failing', type: 'object' },
      goals: { description: 'latency to judge, by operation', type: 'object' },
      operations: { description: 'operations that the documentation does not have', type: ['object', 'array'] },
      limits: { description: 'limits of your own', type: ['object', 'array'] },
      reference: { description: 'settings of proofload serve', type: 'object' },
    },
  };
}

function typeOf({ type, choices = [] }: OptionSpec): Record<string, unknown> {
  switch (type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'count':
      return { type: 'integer', minimum: 0 };
    case 'choice':
      return { enum: choices };
    case 'url':
      return { type: 'string', pattern: '^(https?://|\\$\\{)' };
    default:
      return { type: ['string', 'array'], items: { type: 'string' } };
  }
}

const shown: Readonly<Record<string, string>> = {
  baseUrl: 'https://inference.example.com',
  jobBaseUrl: 'https://jobs.example.com',
  profile: 'gate',
};
const needed: readonly string[] = ['baseUrl', 'jobBaseUrl'];
/** Each endpoint has its own. */
const ofEndpoints: readonly string[] = ['instId', 'workersMax', 'dedicated'];

/** Every key with what it means; those that most runs need are there, the others are comments. */
export function exampleConfig(): string {
  const lines = inFile()
    .map((spec) => ({ key: yamlKey(spec.name), spec }))
    .filter(({ key }) => !ofEndpoints.includes(key))
    .flatMap(({ key, spec }) => [
      `# ${spec.describe}`,
      `${needed.includes(key) ? '' : '# '}${key}: ${shown[key] ?? (spec.type === 'boolean' ? 'false' : '…')}`,
      '',
    ]);
  return [
    `# yaml-language-server: $schema=./${SCHEMA_FILE}`,
    '# Configuration of proofload: npx proofload verify --config proofload.yaml',
    '',
    ...lines,
    '# Keys come from the environment: PROOFLOAD_ACCESS_KEY and PROOFLOAD_JOB_KEY, or by other names:',
    `# accessKey: \${STAGING_ACCESS_KEY}`,
    `# jobKey: \${STAGING_JOB_KEY}`,
    '',
    '# Endpoint instances of interface B. dedicated: nobody else uses it, so its queue may be filled and purged.',
    'endpoints:',
    '  - { instId: my-endpoint, workersMax: 3, dedicated: false }',
    '',
  ].join('\n');
}
