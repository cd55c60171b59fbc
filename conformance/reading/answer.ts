/**
 * Whether a body can be an answer to an operation at all. A service that says yes to everything with the same nothing
 * must not look as if it had understood the question.
 */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import { isOk, type Reply } from '../target/reply.ts';
import { documentsOf } from './chunks.ts';
import { hasOutput, jobIdOf, outputOf, stateWordOf } from './job.ts';
import { saysSomething, walk } from './json.ts';
import { modelIdsOf } from './models.ts';
import { violation } from './schema.ts';

const hasList = (body: unknown): boolean => [...walk(body)].some(({ value }) => Array.isArray(value));
const hasNumber = (body: unknown): boolean => [...walk(body)].some(({ value }) => typeof value === 'number');
const aboutJob = (body: unknown): boolean => stateWordOf(body) !== null || hasOutput(body);

/** The results that runsync answers with, in a record or bare, and then no JSON either; undefined where there are none. */
export const resultsOf = (reply: Reply): unknown => outputOf(reply.json === undefined ? reply.text.trim() : reply.json);

const tests: Readonly<
  Record<DocumentedOperationId, { readonly holds: (body: unknown) => boolean; readonly words: string }>
> = {
  models: { holds: (body) => modelIdsOf(body).length > 0, words: 'a list of models' },
  chat: { holds: (body) => violation('chat', 'documented', body) === null, words: 'a chat completion' },
  completions: {
    holds: (body) => violation('completions', 'documented', body) === null,
    words: 'a text completion',
  },
  run: { holds: (body) => jobIdOf(body) !== null, words: 'a job id' },
  runsync: { holds: (body) => aboutJob(body), words: 'a status or an output' },
  status: { holds: aboutJob, words: 'a status or an output' },
  'status-sync': { holds: aboutJob, words: 'a status or an output' },
  stream: { holds: saysSomething, words: 'something' },
  cancel: { holds: saysSomething, words: 'something' },
  'purge-queue': { holds: saysSomething, words: 'something' },
  health: { holds: hasNumber, words: 'statistics' },
  requests: { holds: hasList, words: 'a list' },
};

/** Answers that need be no JSON, or several documents of it. */
const otherwise: Readonly<Partial<Record<DocumentedOperationId, (reply: Reply) => boolean>>> = {
  runsync: (reply) => saysSomething(resultsOf(reply)),
  stream: ({ text }) => documentsOf(text).some(saysSomething),
};

/** Whether an answer succeeded with a body that can be meant as one. */
export const isAnswer = (id: DocumentedOperationId, reply: Reply): boolean =>
  isOk(reply) && (tests[id].holds(reply.json) || (otherwise[id]?.(reply) ?? false));

/** What such a body holds, for words about one that doesn't. */
export const answerWords = (id: DocumentedOperationId): string => tests[id].words;
