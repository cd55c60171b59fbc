/**
 * Faults in one answer among many, where the check that sent the request is about something else: only a check of every
 * answer of a run notices. Each is tied to a form of the request, so that it is always the same answer.
 */
import { isObject } from '../../schemas/json.ts';
import { answers, body, bodyIf, bodyWithMemory, instead, succeeded, withBody } from './answers.ts';
import { all, type Mutant, type Plant, reading } from './mutant.ts';

type Fields = Readonly<Record<string, unknown>>;
const BY_JOB = ['status', 'status-sync', 'cancel'] as const;

/** Changes the successful answers of an operation to bodies of some kind. */
function whereRequested(
  id: 'chat' | 'completions' | 'run' | 'runsync',
  meant: (requested: Fields) => boolean,
  value: unknown,
): Plant {
  return (options) => {
    let hit = false;
    const noting = reading(id, (requested) => {
      hit = meant(requested);
      return requested;
    });
    const reported = answers((reply, about) => {
      if (about.id !== id || !hit) return reply;
      hit = false;
      return succeeded(reply) ? withBody(reply, value) : reply;
    });
    return all(noting, reported)(options);
  };
}

const hasUser = (requested: Fields): boolean => requested.user !== undefined;
const fails = (requested: Fields): boolean => isObject(requested.input) && requested.input.fail !== undefined;

/** The first answer is right, all later ones are this. */
const onlyOnce = (value: unknown) => () => {
  let reported = false;
  return (right: Fields): unknown => {
    if (reported) return value;
    reported = true;
    return right;
  };
};

export const oneOfManyMutants: readonly Mutant[] = [
  {
    name: 'empty-post-told-nothing',
    clauses: ['status.job-status', 'status-sync.job-status', 'cancel.result'],
    does: 'says nothing about a job to a POST without a body that says it is JSON',
    apply: all(
      ...BY_JOB.map((id) =>
        body(
          id,
          () => ({}),
          ({ method, headers }) => method === 'POST' && headers.get('content-type') === 'application/json',
        ),
      ),
    ),
  },
  {
    name: 'failing-run-without-id',
    clauses: ['run.job-id'],
    does: 'gives no id to jobs that will fail',
    apply: whereRequested('run', fails, { status: 'IN_QUEUE' }),
  },
  {
    name: 'failing-runsync-empty',
    clauses: ['runsync.results'],
    does: 'answers runsync with nothing where the job fails',
    apply: whereRequested('runsync', fails, {}),
  },
  {
    name: 'models-once',
    clauses: ['models.list'],
    does: 'lists its models once and then says that there is nothing',
    apply: bodyWithMemory('models', onlyOnce({})),
  },
  {
    name: 'completion-of-a-user-without-choices',
    clauses: ['completions.completion'],
    does: 'answers completions without choices where the request names its user',
    apply: whereRequested('completions', hasUser, { id: 'cmpl-1', object: 'text_completion' }),
  },
  {
    name: 'purge-silent-later',
    clauses: ['purge-queue.result'],
    does: 'says what became of the first purge only',
    apply: bodyWithMemory('purge-queue', onlyOnce({})),
  },
  {
    name: 'health-silent-while-queued',
    clauses: ['health.statistics'],
    does: 'has no statistics while a job waits',
    apply: bodyIf(
      'health',
      ({ jobs }) => isObject(jobs) && Number(jobs.inQueue) > 0,
      () => ({}),
    ),
  },
  {
    name: 'requests-silent-with-limit',
    clauses: ['requests.list'],
    does: 'lists no requests where the query says how many',
    apply: instead('requests', 200, {}, ({ query }) => query.has('limit')),
  },
];
