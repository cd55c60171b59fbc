/** Faults in the form of a refusal: the limit holds, and the client gets wrong information (spec part 7, 8). */
import { limitsOf } from '../../schemas/limits.ts';
import { json, type Reply } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, bodyOf, replyWhere, statusWhere } from './answers.ts';
import type { Mutant } from './mutant.ts';

// Faults in what is answered to requests that cannot be served (spec part 7, which leaves nearly all of it open).

const BAD = 400;
const NOT_FOUND = 404;
const BY_JOB = ['status', 'status-sync', 'stream', 'cancel'] as const;

const says = (reply: { readonly body: unknown }, text: RegExp): boolean =>
  typeof reply.body === 'string' && text.test(reply.body);
const rates = limitsOf('requests').map((limit) => limit.id);
const concurrencies = limitsOf('concurrent-requests').map((limit) => limit.id);
const queues = limitsOf('queue').map((limit) => limit.id);
const refusal = (id: string): string => `${id}.refusal`;

const by =
  (...kinds: readonly Outgoing['refusedBy'][]) =>
  (_reply: Reply, { refusedBy }: Outgoing): boolean =>
    kinds.includes(refusedBy);

/** The same answer with these fields added. */
const fieldsWhere = (which: ReturnType<typeof by>, fields: Reply['headers']): Mutant['apply'] =>
  answers((reply, out) => (which(reply, out) ? { ...reply, headers: { ...reply.headers, ...fields } } : reply));

export const refusalMutants: readonly Mutant[] = [
  {
    name: 'unknown-job-200',
    clauses: ['jobs.unknown-job'],
    does: 'answers 200 and an empty object for jobs that never were',
    apply: replyWhere((reply) => reply.status === NOT_FOUND && says(reply, /job not found/), 200, {}),
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
    does: 'responds 500 on paths that do not exist',
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
  {
    name: 'refusal-503',
    clauses: [...rates, ...concurrencies],
    does: 'refuses beyond a rate or a concurrency with 503',
    warns: [...rates, ...concurrencies].map(refusal),
    apply: statusWhere(by('requests', 'concurrent-requests'), 503),
  },
  {
    name: 'rate-refusal-403',
    clauses: rates,
    does: 'refuses beyond a rate with 403',
    warns: rates.map(refusal),
    apply: statusWhere(by('requests'), 403),
  },
  {
    name: 'rate-refusal-200',
    clauses: rates,
    does: 'answers 200 and an error body beyond a rate',
    warns: rates.map(refusal),
    apply: statusWhere(by('requests'), 200),
  },
  {
    name: 'rate-retry-after-now',
    clauses: rates,
    does: 'says beyond a rate that the next one may come at once',
    warns: rates.map((id) => `${id}.retry-after`),
    apply: fieldsWhere(by('requests'), { 'retry-after': '0' }),
  },
  {
    name: 'rate-fields-left',
    clauses: rates,
    does: 'says beyond a rate that some requests are left',
    warns: rates.map((id) => `${id}.fields`),
    apply: fieldsWhere(by('requests'), { ratelimit: '"rate";r=3;t=10' }),
  },
  {
    name: 'refusal-without-retry-after',
    clauses: [...rates, ...concurrencies],
    does: 'refuses without Retry-After',
    warns: [...rates, ...concurrencies].map(refusal),
    apply: answers((reply, { refusedBy }) => {
      if (refusedBy !== 'requests' && refusedBy !== 'concurrent-requests') return reply;
      const { 'retry-after': _seconds, ...headers } = reply.headers;
      return { ...reply, headers };
    }),
  },
  {
    // Of run alone: where that breaks down at its border, the queue isn't filled any further for runsync.
    name: 'run-queue-refusal-503',
    clauses: ['run.queue'],
    does: 'refuses run for the queue with 503',
    killedBy: ['run.queue.enforced'],
    apply: statusWhere((_reply, { id, refusedBy }) => id === 'run' && refusedBy === 'queue', 503),
  },
  {
    name: 'queue-refusal-200',
    clauses: queues,
    does: 'answers 200 and an error body when the queue is full',
    killedBy: queues.map((id) => `${id}.enforced`),
    apply: statusWhere(by('queue'), 200),
  },
];
