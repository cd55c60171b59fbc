/**
 * Whether a body can be a response of an operation at all. A service that answers everything with the same nothing must
 * not pass for one that understood the request.
 */
import { hasOutput, jobIdOf, outputOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { listsIn, saysSomething, walk } from '../../schemas/json.ts';
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { isOk, type Reply } from '../target/reply.ts';
import { documentsOf } from './chunks.ts';
import { modelIdsOf } from './models.ts';
import { violation } from './schema.ts';

const hasList = (body: unknown): boolean => listsIn(body).length > 0;
const COUNT = /^\d+(\.\d+)?$/;
/** Counts, as numbers or as text, or a list of what could be counted. */
const hasStatistics = (body: unknown): boolean =>
  [...walk(body)].some(({ value }) => (Array.isArray(value) ? value.length > 0 : COUNT.test(String(value))));
const aboutJob = {
  holds: (body: unknown): boolean => stateOf(body) !== 'unknown' || stateWordOf(body) !== null || hasOutput(body),
  words: 'a status or an output',
};
const something = { holds: saysSomething, words: 'something' };

/** The results that runsync answers with, in a record or bare, and then no JSON either; undefined where there are none. */
export const resultsOf = (reply: Reply): unknown => outputOf(reply.json === undefined ? reply.text.trim() : reply.json);

/** The record of a job that failed, reported as an error: what the handler does is no failure of the service. */
export const isFailedJob = (reply: Reply): boolean =>
  !isOk(reply) && jobIdOf(reply.json) !== null && stateOf(reply.json) === 'failed';

interface Response {
  readonly holds: (body: unknown) => boolean;
  readonly words: string;
  /** The clauses that document it, and those about the fields that clients expect. */
  readonly documented: string;
  readonly fields: readonly string[];
}

/** What each operation responds with. Of stream it is results, and those may be none at the moment. */
export const responsesOf: Readonly<Record<DocumentedOperationId, Response>> = {
  models: {
    holds: (body) => modelIdsOf(body).length > 0,
    words: 'a list of models',
    documented: 'models.list',
    fields: ['models.envelope', 'inference.json'],
  },
  chat: {
    holds: (body) => violation('chat', 'documented', body) === null,
    words: 'a chat completion',
    documented: 'chat.completion',
    fields: ['chat.envelope', 'chat.finish-reason', 'inference.json'],
  },
  completions: {
    holds: (body) => violation('completions', 'documented', body) === null,
    words: 'a text completion',
    documented: 'completions.completion',
    fields: ['completions.envelope', 'inference.json'],
  },
  run: {
    holds: (body) => jobIdOf(body) !== null,
    words: 'a job id',
    documented: 'run.job-id',
    fields: ['run.envelope'],
  },
  runsync: { ...aboutJob, documented: 'runsync.results', fields: ['runsync.envelope'] },
  status: { ...aboutJob, documented: 'status.job-status', fields: ['status.envelope'] },
  'status-sync': { ...aboutJob, documented: 'status-sync.job-status', fields: ['status.envelope'] },
  stream: { ...something, documented: 'stream.results', fields: ['stream.envelope'] },
  cancel: { ...something, documented: 'cancel.result', fields: ['cancel.envelope'] },
  'purge-queue': { ...something, documented: 'purge-queue.result', fields: ['purge-queue.envelope'] },
  health: { holds: hasStatistics, words: 'statistics', documented: 'health.statistics', fields: ['health.envelope'] },
  requests: { holds: hasList, words: 'a list', documented: 'requests.list', fields: ['requests.envelope'] },
};

/** Interface B is not documented to speak JSON; a page is no answer of an interface. */
const inWords = ({ json, text }: Reply): boolean => json === undefined && /^\s*[^<\s]/.test(text);

/** Answers that need be no JSON, or several documents of it. */
const otherwise: Readonly<Partial<Record<DocumentedOperationId, (reply: Reply) => boolean>>> = {
  runsync: (reply) => saysSomething(resultsOf(reply)),
  stream: ({ text }) => documentsOf(text).some(saysSomething),
  cancel: inWords,
  'purge-queue': inWords,
  health: (reply) => inWords(reply) && /\d/.test(reply.text),
  requests: inWords,
};

/** Whether an answer succeeded with a body that can be meant as one. */
export const isAnswer = (id: DocumentedOperationId, reply: Reply): boolean =>
  isOk(reply) && (responsesOf[id].holds(reply.json) || (otherwise[id]?.(reply) ?? false));
