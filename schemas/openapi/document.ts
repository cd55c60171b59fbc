/**
 * The service as an OpenAPI document, for tools that read one: made from the operations, limits, requests, responses
 * and clauses, so that it agrees with the checks. What is no more than a convention is marked as one.
 */
import { clauses } from '../clauses/index.ts';
import { type DocumentedOperation, type DocumentedOperationId, operations } from '../operations.ts';
import { requests } from '../requests/index.ts';
import type { Level } from '../verdicts.ts';
import { component, schemas } from './components.ts';
import { limitsOfOperation, responsesOf } from './responses.ts';

const HEADS: readonly (readonly [Level, string])[] = [
  ['documented', 'Documented:'],
  ['convention', 'Convention, on which clients depend:'],
  ['observed', 'Left open:'],
];

/** Markdown: one list for each level that the operation has clauses of. */
function operationText(id: DocumentedOperationId): string {
  const own = clauses.filter((one) => one.operations?.includes(id));
  return HEADS.flatMap(([level, head]) => {
    const lines = own.filter((one) => one.level === level).map((one) => `- ${one.text} (\`${one.id}\`)`);
    return lines.length > 0 ? [[head, '', ...lines].join('\n')] : [];
  }).join('\n\n');
}

type Json = Readonly<Record<string, unknown>>;

const SERVERS = {
  inference: {
    url: '{base_url}',
    description: 'Interface A.',
    variables: { base_url: { default: 'https://inference.example.com', description: 'Without the version.' } },
  },
  jobs: {
    url: '{job_base_url}',
    description: 'Interface B.',
    variables: { job_base_url: { default: 'https://jobs.example.com', description: 'Without the version.' } },
  },
} as const;

const TAGS = [
  { name: 'inference', description: 'Interface A: models, chat completions and text completions.' },
  { name: 'jobs', description: 'Interface B: jobs on a deployed serverless endpoint.' },
];

const SECURITY_SCHEMES = {
  accessKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Clauses auth.bearer and auth.access-key: the access key of an account, made in its settings.',
    'x-proofload-level': 'documented',
  },
  jobKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Convention: how interface B is authenticated is not documented (gap.jobs-auth).',
    'x-proofload-level': 'convention',
  },
};

/** Interface B may be open, for all that is documented. */
const SECURITY = { inference: [{ accessKey: [] }], jobs: [{ jobKey: [] }, {}] } as const;

const parameters = (fields: Readonly<Record<string, Json>>, place: 'path' | 'query'): Json[] =>
  Object.entries(fields).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema,
  }));

const SUMMARIES: Readonly<Record<string, string>> = {
  models: 'List the models',
  model: 'Read one model',
  chat: 'Create a chat completion',
  completions: 'Create a text completion',
  run: 'Submit a job',
  runsync: 'Submit a job and wait for its results',
  status: 'Check a job',
  'status-sync': 'Check a job synchronously',
  stream: 'Read the results of a job as they are made',
  cancel: 'Cancel a job',
  'purge-queue': 'Clear the queue',
  health: 'See the workers and the endpoint',
  requests: 'List the requests',
};

function operationObject(one: DocumentedOperation, method: string): Json {
  const { id, interface: side } = one;
  const { path, query, body } = requests[id];
  const limits = limitsOfOperation(id);
  return {
    operationId: method === one.methods[0] ? id : `${id}-${method.toLowerCase()}`,
    tags: [side],
    summary: SUMMARIES[id],
    description: operationText(id),
    security: SECURITY[side],
    parameters: [...parameters(path, 'path'), ...parameters(query, 'query')],
    ...(body === null || method === 'GET'
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: body.required ? component(`${id}-request`) : body.schema } },
          },
        }),
    responses: responsesOf(one),
    ...(limits.length > 0 ? { 'x-proofload-limits': limits } : {}),
  };
}

const pathOf = (one: DocumentedOperation): [string, Json] => [
  one.path,
  {
    servers: [SERVERS[one.interface]],
    ...Object.fromEntries(one.methods.map((method) => [method.toLowerCase(), operationObject(one, method)])),
  },
];

/** One model by its id: no operation of the documentation, but what clients of the convention call. */
function modelPath(models: DocumentedOperation): [string, Json] {
  const get = {
    operationId: 'model',
    tags: ['inference'],
    summary: SUMMARIES.model,
    description: 'Convention (models.retrieve): a single model can be read by its id. A slash in it stays a slash.',
    'x-proofload-level': 'convention',
    security: SECURITY.inference,
    parameters: parameters(requests.model.path, 'path'),
    responses: responsesOf(models, 'model'),
  };
  return [`${models.path}/{model}`, { servers: [SERVERS.inference], get }];
}

/** The document as plain JSON. */
export function openApiDocument(): Json {
  const paths = operations.flatMap((one) => (one.id === 'models' ? [pathOf(one), modelPath(one)] : [pathOf(one)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Model inference and serverless jobs',
      version: 'v1',
      summary: 'What is documented of the service, on which conventions clients depend, and what is left open.',
      description: [
        'Made from the tables of proofload; do not edit. `x-proofload-level` distinguishes what is `documented` from what is',
        'no more than a `convention`: the documentation is silent there, and clients in use depend on it. Names in',
        'backticks are the clauses that the reports of proofload refer to.',
      ].join('\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [SERVERS.inference, SERVERS.jobs],
    tags: TAGS,
    paths: Object.fromEntries(paths),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: schemas() },
  };
}
