/**
 * The JSON Schema of the file of `--config`: what the file is read by, what editors get, and what its types come from.
 * Where something doesn't fit, `errorMessage` says what would, for editors as for us. And the file that `proofload init`
 * writes, with a comment for each key.
 */
import { goalKeysOf } from '../../schemas/goals.ts';
import { operations } from '../../schemas/operations.ts';
import type { TypeOf } from '../../schemas/schema-words.ts';
import { workloadNames } from '../../schemas/workloads.ts';
import { type OptionSpec, optionsOf, secrets, yamlKey } from './options.ts';

/** Next to the configuration, so that editors find it without a network. */
export const SCHEMA_FILE = 'proofload.schema.json';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const OWN_KINDS = ['requests', 'concurrent-requests', 'content-bytes'] as const;

/** Of times, ms. */
export const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

const text = { type: 'string', minLength: 1 } as const;
const time = {
  type: 'string',
  pattern: `^(?=.*[1-9])\\d+(\\.\\d+)?\\s*(${Object.keys(UNITS).join('|')})$`,
  errorMessage: 'takes a time with its unit, such as 500ms, 2s or 1m',
} as const;
const flag = { type: 'boolean', errorMessage: 'takes true or false' } as const;
const closed = { type: 'object', additionalProperties: false } as const;
const method = { enum: METHODS } as const;

const endpoints = {
  description: 'instances with settings of their own',
  errorMessage: 'takes a list of {instId, workersMax, dedicated}',
  type: 'array',
  minItems: 1,
  items: {
    ...closed,
    required: ['instId'],
    properties: {
      instId: { ...text, type: ['string', 'integer'], description: 'endpoint instance of interface B' },
      workersMax: {
        description: 'its WorkersMax',
        type: 'integer',
        minimum: 0,
        errorMessage: 'takes a whole number from 0 up',
      },
      dedicated: { ...flag, description: 'whether its queue may be filled and purged' },
    },
  },
} as const;

const ownOperations = {
  description: 'operations that the documentation does not have',
  errorMessage: 'takes names, such as export: { method: POST, path: "/api/v1/sl/{inst_id}/export" }',
  type: 'object',
  minProperties: 1,
  additionalProperties: {
    ...closed,
    errorMessage: 'takes method, path, interface, body',
    required: ['method', 'path'],
    properties: {
      method: {
        anyOf: [method, { type: 'array', minItems: 1, items: method }],
        errorMessage: `is one or several of ${METHODS.join(', ')}`,
      },
      path: {
        type: 'string',
        pattern: '^/[^\\s#]*$',
        errorMessage: "begins with '/', such as /api/v1/sl/{inst_id}/export",
      },
      interface: { enum: ['jobs', 'inference'], errorMessage: 'is jobs or inference' },
      body: { description: 'sent as JSON with every request that is no GET' },
    },
  },
} as const;

const ownLimits = {
  description: 'limits of your own, and other values for those of the documentation',
  errorMessage:
    'takes a list, such as - { id: export.rate, kind: requests, operations: [export], value: 50, window: 1s }',
  type: 'array',
  minItems: 1,
  items: {
    ...closed,
    errorMessage: 'looks like { id: run.rate, value: 5000 }',
    required: ['id', 'value'],
    properties: {
      id: { ...text, description: 'such as export.rate' },
      // Queues and retention are seen by the jobs of run and runsync alone.
      kind: {
        enum: OWN_KINDS,
        errorMessage: `is ${OWN_KINDS.join(', ')}; queues and retention are of run and runsync`,
      },
      operations: { type: 'array', minItems: 1, items: text, errorMessage: 'takes a list of names from operations' },
      value: { type: 'integer', minimum: 1, maximum: 1_000_000_000, errorMessage: 'takes a whole number from 1 up' },
      window: time,
    },
  },
} as const;

const goalsOfOne = {
  type: 'object',
  minProperties: 1,
  errorMessage: 'takes goals, such as { p99: 500ms }',
} as const;

const goals = {
  description: 'latency to judge, by operation',
  errorMessage: 'takes operations, each with its goals, e.g. run: { p99: 500ms }',
  type: 'object',
  minProperties: 1,
  additionalProperties: { ...goalsOfOne, additionalProperties: time },
} as const;

/** Of each operation of the documentation those that are measured. */
const goalsOf = Object.fromEntries(
  operations.flatMap(({ id }) => {
    const keys = goalKeysOf(id).map((key) => [key, time]);
    return keys.length === 0
      ? []
      : [[id, { ...goalsOfOne, additionalProperties: false, properties: Object.fromEntries(keys) }]];
  }),
);

const workloads = {
  ...closed,
  description: 'what makes the deployed handler quick, slow, streaming or failing',
  errorMessage: `takes ${workloadNames.join(', ')}, each with an input or null`,
  properties: { quick: {}, slow: {}, streaming: {}, failing: {} },
} as const;

const reference = {
  description: 'settings of proofload serve',
  errorMessage: "takes settings, such as 'limiter: token'",
  type: ['object', 'null'],
} as const;

export const secret = {
  description: 'a reference to the environment, never the key itself',
  errorMessage: `: a key doesn't belong in a file; write \${NAME} and set NAME in the environment`,
  type: 'string',
  pattern: '^\\$\\{[^}]+\\}$',
} as const;

const parts = { endpoints, workloads, goals, operations: ownOperations, limits: ownLimits, reference } as const;

/** What a file says of things that are no options, as it is written. */
export type Written = { readonly [P in keyof typeof parts]?: TypeOf<(typeof parts)[P]> };
export type WrittenLimit = TypeOf<typeof ownLimits.items>;
export type WrittenOperation = TypeOf<typeof ownOperations.additionalProperties>;

const inFile = (): readonly OptionSpec[] => optionsOf('verify').filter(({ yaml }) => yaml !== false);

/** @param judged whether options are judged by this; else by what judges flags and variables (values.ts) */
export function configSchema(judged = true): Record<string, unknown> {
  const options = inFile().map((spec) => [
    yamlKey(spec.name),
    judged ? { description: spec.describe, ...typeOf(spec) } : {},
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'configuration of proofload',
    ...closed,
    properties: {
      ...Object.fromEntries(options),
      ...Object.fromEntries(secrets.map((name) => [yamlKey(name), secret])),
      ...parts,
      goals: { ...goals, properties: goalsOf },
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
    '# Endpoint instances of interface B. dedicated: it has no other users, so its queue may be filled and purged.',
    'endpoints:',
    '  - { instId: my-endpoint, workersMax: 3, dedicated: false }',
    '',
  ].join('\n');
}
