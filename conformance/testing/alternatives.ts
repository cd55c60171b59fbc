/**
 * Services that do all that is documented, each with another convention where the documentation is silent: none of
 * them breaks a documented clause. The reference with its answers in another form.
 */
import { randomUUID } from 'node:crypto';
import type { Reply } from '../../reference/reply.ts';
import { at, isObject, type JsonObject, listAt, parseJson } from '../../schemas/json.ts';
import { operations } from '../../schemas/operations.ts';
import type { Alter } from './altered.ts';
import { allBehaviours } from './behaviours.ts';
import { allHandlers } from './handlers.ts';
import { head, row } from './markdown.ts';

const jobs = operations.filter((one) => one.interface === 'jobs').map(({ id }) => id);
const aboutJobs = ['run', 'runsync', 'status', 'status-sync', 'cancel'] as const;
const read = ['status', 'status-sync', 'stream'] as const;

/** The answers of these operations, in another form. */
const of =
  (ids: readonly string[], change: (reply: Reply, body: unknown) => Partial<Reply>): Alter =>
  ({ reply, id }) =>
    ids.includes(id) && typeof reply.body === 'string' ? { ...reply, ...change(reply, parseJson(reply.body)) } : reply;

const succeeded = ({ status }: Reply): boolean => status < 300;

/** The bodies of successes. */
const bodies = (ids: readonly string[], change: (body: unknown) => unknown): Alter =>
  of(ids, (reply, body) => (succeeded(reply) && body !== undefined ? { body: JSON.stringify(change(body)) } : {}));

/** The records of jobs. */
const records = (change: (record: JsonObject) => unknown): Alter =>
  bodies(jobs, (body) => (isObject(body) && typeof body.status === 'string' ? change(body) : body));

const states = (word: (state: string) => unknown): Alter =>
  records(({ status, ...more }) => ({ ...more, status: word(String(status)) }));

const ORDER = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED'];

const WORDS = {
  celery: ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'],
  bullmq: ['waiting', 'active', 'completed', 'failed', 'removed'],
  aws: ['SUBMITTED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TERMINATED'],
  river: ['available', 'running', 'completed', 'discarded', 'cancelled'],
  slurm: ['PENDING', 'RUNNING', 'COMPLETED', 'NODE_FAIL', 'CANCELLED'],
  replicate: ['starting', 'processing', 'succeeded', 'failed', 'canceled'],
  github: ['', '', 'success', 'failure', 'cancelled'],
};

const outputs = (change: (output: unknown) => JsonObject): Alter =>
  records(({ output, ...more }) => (output === undefined ? more : { ...more, ...change(output) }));

function named(value: unknown, name: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => named(one, name));
  if (!isObject(value)) return value;
  const inside = ([key, one]: [string, unknown]) => [name(key), key === 'output' ? one : named(one, name)];
  return Object.fromEntries(Object.entries(value).map(inside));
}
const names = (name: (key: string) => string): Alter => bodies(jobs, (body) => named(body, name));
const apart = (key: string, by: string): string => key.replaceAll(/([a-z])([A-Z])/g, `$1${by}$2`);

const code = (ids: readonly string[], status: number, fits: (body: string) => boolean = () => true): Alter =>
  of(ids, (reply) => (reply.status === 200 && fits(String(reply.body)) ? { status } : {}));

const words = (ids: readonly string[], type: string, say: (body: unknown) => string): Alter =>
  of(ids, (reply, body) => (succeeded(reply) ? { headers: { 'content-type': type }, body: say(body) } : {}));

const refusals = (ids: readonly string[], form: (reply: Reply) => Partial<Reply>): Alter =>
  of(ids, (reply) => (reply.status >= 400 ? form(reply) : {}));
const unknown = (status: number, body?: string): Alter =>
  of(jobs, (reply) => (reply.status === 404 ? { status, ...(body === undefined ? {} : { body }) } : {}));

/** The pieces of event streams. */
const events =
  (change: (text: string) => string): Alter =>
  ({ reply }) =>
    typeof reply.body === 'string' ? reply : { ...reply, body: changed(reply.body, change) };

async function* changed(pieces: AsyncIterable<string>, change: (text: string) => string): AsyncIterable<string> {
  for await (const piece of pieces) yield change(piece);
}

const chunks = (body: unknown): readonly unknown[] => listAt(body, 'stream').map((one) => at(one, 'output'));
const isOver = (body: unknown): boolean => !/^IN_/.test(String(at(body, 'status')));
const lines = (all: readonly unknown[]): string => all.map((one) => JSON.stringify(one)).join('\n');
const data = (all: readonly unknown[]): string => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

const rows = (body: unknown): readonly JsonObject[] =>
  (Array.isArray(body) ? body : listAt(body, 'requests')).filter(isObject);
const list = (change: (all: readonly JsonObject[]) => unknown): Alter =>
  bodies(['requests'], (body) => change(rows(body)));
const ids = (all: readonly JsonObject[]): readonly unknown[] => all.map(({ id }) => id);

/** What a model says, whatever it is asked. */
const saying = (text: string): Alter =>
  bodies(['chat', 'completions'], (body) => ({
    ...Object(body),
    choices: listAt(body, 'choices').map((one) => {
      const message = at(one, 'message');
      return { ...Object(one), ...(isObject(message) ? { message: { ...message, content: text } } : { text }) };
    }),
  }));

const workers = (body: unknown, state: string): number => Number(at(body, 'workers', state));
const queued = (body: unknown): number => Number(at(body, 'jobs', 'inQueue'));

interface Alternative {
  readonly alter: Alter;
  /** How many documented checks can't be decided of it. */
  readonly open?: number;
}

const alternatives: Readonly<Record<string, Alter | Alternative>> = {
  'answers inside result': bodies(jobs, (body) => ({ result: body })),
  'answers inside response.job': bodies(jobs, (body) => ({ response: { job: body } })),
  'answers inside data, beside a code': bodies(jobs, (body) => ({ code: 0, msg: 'ok', data: body })),
  'answers inside data, beside status ok': bodies(jobs, (body) => ({ status: 'ok', data: body })),
  'answers inside data, beside status success': bodies(jobs, (body) => ({
    status: 'success',
    data: body,
    message: null,
  })),
  'resources of JSON:API': bodies(aboutJobs, (body) =>
    isObject(body) ? { data: { type: 'jobs', id: body.id, attributes: body } } : body,
  ),
  'answers in a list of one': bodies(aboutJobs, (body) => [body]),
  'answers in a list of one inside data': bodies(aboutJobs, (body) => ({ code: 0, data: [body] })),
  'names in PascalCase': names((key) => `${key.charAt(0).toUpperCase()}${key.slice(1)}`),
  'names in upper case': names((key) => apart(key, '_').toUpperCase()),
  'names in snake_case': names((key) => apart(key, '_').toLowerCase()),
  'names in kebab-case': names((key) => apart(key, '-').toLowerCase()),

  'states with a prefix': states((state) => `JOB_STATE_${state}`),
  'states as events': states((state) => `job.${state.toLowerCase()}`),
  'states as words': states((state) => state.toLowerCase().replaceAll('_', ' ')),
  'states as objects': states((state) => ({ code: 3, name: state })),
  'states as phases': states((state) => ({ phase: state })),
  'states of Celery': states((state) => WORDS.celery[ORDER.indexOf(state)]),
  'states of BullMQ': states((state) => WORDS.bullmq[ORDER.indexOf(state)]),
  'states of AWS Batch': states((state) => WORDS.aws[ORDER.indexOf(state)]),
  'states of River': states((state) => WORDS.river[ORDER.indexOf(state)]),
  'states of Slurm': states((state) => WORDS.slurm[ORDER.indexOf(state)]),
  'states of Replicate': { alter: states((state) => WORDS.replicate[ORDER.indexOf(state)]), open: 2 },
  'states with a conclusion': records(({ status, ...more }) =>
    isOver({ status })
      ? { ...more, status: 'completed', conclusion: WORDS.github[ORDER.indexOf(String(status))] }
      : { ...more, status, conclusion: null },
  ),
  'cancelled jobs among those that failed': records((record) =>
    record.status === 'CANCELLED' ? { ...record, status: 'FAILED', error: 'cancelled' } : record,
  ),
  'a processing status': records(({ status, ...more }) => ({ ...more, processing_status: status })),
  'a trace id beside the id of the job': records(({ id, ...more }) => ({
    request_id: randomUUID(),
    task_id: id,
    ...more,
  })),
  'the record of the job inside output': records(({ id, status, output, ...more }) => ({
    request_id: randomUUID(),
    output: { task_id: id, task_status: status, ...(output === undefined ? {} : { results: [output] }) },
    usage: more,
  })),
  'states as numbers': { alter: states((state) => ORDER.indexOf(state)), open: 29 },
  'only whether jobs are done': {
    alter: records(({ status, ...more }) => ({ ...more, done: isOver({ status }) })),
    open: 20,
  },

  'outputs in a list': outputs((output) => ({ output: [output] })),
  'outputs in an object': outputs((output) => ({ output: { value: output } })),
  'outputs as text': outputs((output) => ({ output: JSON.stringify(output) })),
  'outputs under another name': outputs((output) => ({ answer: output })),
  'outputs in a list of objects': outputs((output) => ({ outputs: [{ data: output }] })),
  'requests beside the outputs': outputs((output) => ({ input: { echo: output }, output })),
  'other fields': records((record) => ({
    createdAt: '2026-01-01T00:00:00Z',
    progress: 40,
    error: null,
    reason: '',
    ...record,
  })),
  'an error that is false': records((record) => ({ error: false, errors: [], ...record })),

  '201 and 202': code(['run', 'runsync', 'cancel', 'purge-queue'], 202),
  '202 while a job goes on': code(read, 202, (body) => /IN_QUEUE|IN_PROGRESS/.test(body)),
  'a link instead of an id': of(['run'], (reply, body) =>
    succeeded(reply)
      ? { status: 201, headers: { location: `/api/v1/sl/inst-1/status/${at(body, 'id')}` }, body: '' }
      : {},
  ),
  'ids as text': words(['run'], 'text/plain', (body) => `${at(body, 'id')}\n`),
  'bare results': { alter: bodies(['runsync'], (body) => at(body, 'output') ?? body), open: 1 },
  'results without an id': {
    alter: bodies(['runsync'], (body) => (isObject(body) ? { ...body, id: undefined } : body)),
    open: 2,
  },
  'results beside the name of a model': {
    alter: bodies(['runsync'], (body) =>
      isObject(body) ? { ...body, id: undefined, task: 'echo', name: 'v1' } : body,
    ),
    open: 8,
  },
  '500 where a synchronous job fails': code(['runsync'], 500, (body) => body.includes('"FAILED"')),

  'cancel says true': bodies(['cancel'], () => true),
  'cancel says a sentence': words(['cancel'], 'text/plain', () => 'The job was cancelled.'),
  'purge says a number': bodies(['purge-queue'], (body) => at(body, 'removed')),
  'purge says ok': bodies(['purge-queue'], () => ({ ok: true })),
  'purge says a sentence': words(['purge-queue'], 'text/plain', (body) => `${at(body, 'removed')} jobs were removed.`),

  'health as metrics': {
    alter: words(['health'], 'text/plain; version=0.0.4', (body) =>
      ['running', 'idle'].map((state) => `workers_${state} ${workers(body, state)}`).join('\n'),
    ),
    open: 2,
  },
  'health without jobs': {
    alter: bodies(['health'], (body) => ({ busy: workers(body, 'running'), queue: queued(body) })),
    open: 1,
  },
  'health with numbers as text': {
    alter: bodies(['health'], (body) => ({ status: 'healthy', workers: `${workers(body, 'idle')}` })),
    open: 2,
  },
  'health with a list of workers': {
    alter: bodies(['health'], () => ({ healthy: true, workers: [{ name: 'w1', busy: false }] })),
    open: 2,
  },

  'a list in words': {
    alter: of(['requests'], (_, body) => ({
      body: rows(body)
        .map((one) => `${one.id} ${one.status}\n`)
        .join(''),
    })),
    open: 2,
  },
  'a list of ids': { alter: list(ids), open: 2 },
  'lists by state': {
    alter: list((all) => ({
      unfinished: ids(all.filter((one) => !isOver(one))),
      finished: ids(all.filter(isOver)),
    })),
    open: 2,
  },
  'pages, the newest first': list((all) => ({ items: all.slice(0, 20), total: all.length, next: '?page=2' })),
  'pages, the oldest first': { alter: list((all) => ({ items: all.slice(-20), next: '?page=2' })), open: 1 },
  'a list of unfinished jobs': { alter: list((all) => all.filter((one) => !isOver(one))), open: 1 },

  'unknown jobs with 200 and an error': unknown(200, '{"error":"job not found"}'),
  'unknown jobs with 200 and null': unknown(200, '{"job":null}'),
  'unknown jobs with a state of their own': unknown(200, '{"status":"UNKNOWN"}'),
  'unknown jobs with 410': unknown(410),
  'errors as text': refusals(jobs, () => ({ headers: { 'content-type': 'text/plain' }, body: 'error' })),
  'errors without a body': refusals(jobs, () => ({ headers: {}, body: '' })),
  'errors as problem details': refusals(jobs, ({ status }) => ({
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title: 'no', status }),
  })),
  'JSON on many lines': of(jobs, (_, body) =>
    body === undefined ? {} : { body: `${JSON.stringify(body, null, 2)}\n` },
  ),
  'no content type': of(jobs, () => ({ headers: {} })),

  'a stream as a bare list': bodies(['stream'], chunks),
  'a stream as lines': words(['stream'], 'application/x-ndjson', (body) =>
    lines([...chunks(body), { status: at(body, 'status') }]),
  ),
  'a stream as events': words(['stream'], 'text/event-stream', (body) => data(chunks(body))),
  'a stream as events and the record': words(
    ['stream'],
    'text/event-stream',
    (body) => data(chunks(body)) + (isOver(body) ? data([{ status: at(body, 'status'), output: chunks(body) }]) : ''),
  ),
  'a stream as numbered events': words(
    ['stream'],
    'text/event-stream',
    (body) =>
      data(chunks(body).map((content, index) => ({ index, content }))) + (isOver(body) ? 'data: [DONE]\n\n' : ''),
  ),
  'a stream as text without separators': words(['stream'], 'text/plain', (body) =>
    chunks(body)
      .map((one) => JSON.stringify(one))
      .join(''),
  ),
  'a stream with 204 where nothing is new': of(['stream'], (reply, body) =>
    reply.status === 200 && chunks(body).length === 0 ? { status: 204, body: '' } : {},
  ),

  'a model that says the same to everyone': { alter: saying('Hello! How can I help you?'), open: 2 },
  'texts in parts': bodies(['chat'], (body) => ({
    ...Object(body),
    choices: listAt(body, 'choices').map((one) => {
      const message = at(one, 'message');
      const parts = [
        { type: 'thinking', thinking: [] },
        { type: 'text', text: at(message, 'content') },
      ];
      return { ...Object(one), message: { ...Object(message), content: parts } };
    }),
  })),
  'choices alone': bodies(['chat', 'completions'], (body) => ({ choices: at(body, 'choices') })),
  'blank lines before a completion': of(['chat', 'completions'], ({ body }) => ({ body: `\n\n${String(body)}` })),
  'the name of another model': bodies(['chat', 'completions'], (body) => ({ ...Object(body), model: 'base' })),
  'errors of inference as text': refusals(['models', 'chat', 'completions'], () => ({
    headers: { 'content-type': 'text/plain' },
    body: 'no',
  })),
  'streams without [DONE]': events((text) => text.replace('data: [DONE]\n\n', '')),
  'chunks without a choice': events((text) => `data: {"choices":[],"model":""}\n\n${text}`),
  'streams as lines': {
    alter: events((text) => text.replaceAll(/^data: (\[DONE\])?/gm, '').replaceAll('\n\n', '\n')),
    open: 2,
  },
  'models by identifier': bodies(['models'], (body) => ({
    data: Object.fromEntries(listAt(body, 'data').map((one) => [at(one, 'id'), one])),
  })),
  'models with identifiers under another name': bodies(['models'], (body) => ({
    data: listAt(body, 'data').map((one) => ({ ...Object(one), id: undefined, slug: at(one, 'id') })),
  })),
  'a bare list of models': bodies(['models'], (body) => at(body, 'data') ?? body),
  'models with more fields': bodies(['models'], (body) => ({ object: 'page', more: [], ...Object(body) })),
  'completions without usage': bodies(['chat', 'completions'], (body) => ({
    ...Object(body),
    usage: undefined,
    created: undefined,
  })),
  'errors of inference as FastAPI has them': refusals(['models', 'chat', 'completions'], () => ({
    body: JSON.stringify({ detail: [{ loc: ['body'], msg: 'no', type: 'value_error' }] }),
  })),
  'events with other line ends': events((text) => text.replaceAll('\n', '\r\n')),
  'events with comments': events((text) => `: still there\n\n${text}`),
  'events with names and ids': events((text) => text.replaceAll(/^data:/gm, 'event: message\nid: 1\ndata:')),
  'events without a blank after the colon': events((text) => text.replaceAll(/^data: /gm, 'data:')),
  'chunks with more fields': events((text) =>
    text.replaceAll('"choices":', '"service_tier":null,"usage":null,"choices":'),
  ),
  '422 instead of 400': of(['chat', 'completions', 'run', 'runsync'], ({ status }) =>
    status === 400 ? { status: 422 } : {},
  ),
};

/** Each with its name, and how many documented checks stay open. */
export const allAlternatives = Object.entries(alternatives).map(([name, one]) => ({
  name,
  ...(typeof one === 'function' ? { alter: one, open: 0 } : { open: 0, ...one }),
}));

const tableOf = (all: readonly { readonly name: string; readonly open: number }[]): string =>
  [
    ...head('what is different', 'inconclusive'),
    ...all.map(({ name, open }) => row(name, open === 0 ? '' : String(open))),
  ].join('\n');

/** The page of the documentation about them. */
export const conventionsPage = (): string => `# Services with other conventions

The documentation names no field, no state and no form of an answer of the job operations, and leaves open much of what
they do. A service may choose, and proofload reads what can only mean the same: names in any case, records
inside other records, states in other words, streams of any form. Each of these services does all that is documented in
a way of its own ([forms](../conformance/testing/alternatives.ts), [behaviour](../conformance/testing/behaviours.ts)). No
documented check fails on any of them. Where a form doesn't show what a check needs, so many documented checks are
inconclusive and say what they lack.

What is [deployed](../conformance/testing/handlers.ts) on an endpoint is not the service's doing either. Where the
configuration has no \`workloads\`, the checks send inputs that a handler need not know: no check fails or warns for that.
What a job lacks is held against the service only where another job with the same input has it.

Made by \`npm run docs\`; do not edit.

## In form

${tableOf(allAlternatives)}

## In behaviour

${tableOf(allBehaviours)}

## In what is deployed

${tableOf(allHandlers)}
`;
