/** Faults in what is answered to requests that cannot be served (spec part 7, which leaves nearly all of it open). */
import { json } from '../reply.ts';
import { answers, bodyOf, inferenceIds, replyWhere, statusWhere, withBody } from './answers.ts';
import type { Mutant } from './mutant.ts';

const BAD = 400;
const NOT_FOUND = 404;
const BY_JOB = ['status', 'status-sync', 'stream', 'cancel'] as const;

const says = (reply: { readonly body: unknown }, text: RegExp): boolean =>
  typeof reply.body === 'string' && text.test(reply.body);
const isError = (status: number): boolean => status >= BAD;

export const errorMutants: readonly Mutant[] = [
  {
    name: 'inference-error-as-text',
    clauses: ['inference.error-envelope'],
    does: 'answers errors of interface A with a text instead of an object',
    apply: answers((reply, { id }) =>
      inferenceIds.includes(id) && isError(reply.status) ? withBody(reply, { error: 'something went wrong' }) : reply,
    ),
  },
  {
    name: 'unknown-job-200',
    clauses: ['jobs.unknown-job'],
    does: 'answers 200 and an empty object for jobs that never were',
    apply: replyWhere((reply) => reply.status === NOT_FOUND && says(reply, /job not found/), 200, {}),
  },
  {
    name: 'unknown-instance-500',
    clauses: ['jobs.unknown-instance'],
    does: 'breaks down on instances that do not exist',
    apply: statusWhere((reply) => says(reply, /endpoint not found/), 500),
  },
  {
    name: 'foreign-job-readable',
    clauses: ['jobs.foreign-job', 'jobs.instance'],
    does: 'shows the jobs of every endpoint on every other',
    apply: (options) => {
      const seen = new Map<string, unknown>();
      return answers((reply, { id, parameters }) => {
        const jobId = parameters.job_id ?? '';
        if (id !== 'status') return reply;
        if (reply.status === 200) seen.set(`${jobId} ${parameters.inst_id}`, bodyOf(reply));
        const foreign = [...seen].find(
          ([key]) => key.startsWith(`${jobId} `) && !key.endsWith(` ${parameters.inst_id}`),
        );
        return says(reply, /job not found/) && foreign ? json(200, foreign[1]) : reply;
      })(options);
    },
  },
  {
    name: 'unknown-path-500',
    clauses: ['errors.route'],
    does: 'breaks down on paths that do not exist',
    apply: statusWhere((_reply, { id }) => id === null, 500),
  },
  {
    name: 'empty-post-refused',
    clauses: ['jobs.empty-body'],
    does: 'refuses an empty body that says it is JSON where there is nothing to send',
    apply: replyWhere(
      (_reply, { id, method, refusedBy, headers }) =>
        refusedBy === null &&
        BY_JOB.some((one) => one === id) &&
        method === 'POST' &&
        headers.get('content-type') === 'application/json',
      BAD,
      { error: 'bad request: body: not valid JSON' },
    ),
  },
];
