/** Faults in how interface B treats unauthenticated requests, and in refusals that have an effect all the same. */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import type { ReferenceOptions } from '../options.ts';
import { json } from '../reply.ts';
import type { Outgoing, Rules } from '../rules.ts';
import { answers, bodyOf, jobIds, succeeded, withBody, withMemory } from './answers.ts';
import { all, type Mutant, type Plant, reading, rulesWithMemory } from './mutant.ts';

// Faults in whose a job is: it can be read, streamed, cancelled or listed through another instance or account.

const bearer = (keys: readonly string[]): string => `Bearer ${keys[0] ?? ''}`;

/** Takes the key of another account for that of the first, in some operations. */
const opens = (...open: readonly DocumentedOperationId[]): Plant =>
  rulesWithMemory((options: ReferenceOptions) => {
    const { credential } = options.rules;
    const unauthenticated = bearer(options.otherKeys);
    return {
      credential: (id, header) => {
        const before = credential(id, header);
        return before === unauthenticated && open.includes(id) ? bearer(options.accessKeys) : before;
      },
    };
  });

const DOES = {
  status: 'shows the status of a job to another account',
  'status-sync': 'shows the status of a job to another account that waits for it',
  stream: 'hands the chunks of a job out to another account',
  cancel: 'lets another account cancel a job',
  requests: 'lists the jobs of one account to another',
  run: 'takes what another account submits for a job of the first',
} as const;

type Open = keyof typeof DOES;

const forAccounts = (Object.keys(DOES) as readonly Open[]).map(
  (open): Mutant => ({
    name: `other-key-${open}`,
    clauses: ['jobs.account'],
    does: DOES[open],
    apply: opens(open),
  }),
);

/** Answers an operation about jobs that belong to another instance with what status last said there. */
const known = (open: DocumentedOperationId, answer: (record: Readonly<Record<string, unknown>>) => unknown): Plant =>
  withMemory(() => {
    const records = new Map<unknown, Readonly<Record<string, unknown>>>();
    const cancelled = new Set<unknown>();
    return (reply, { id, parameters }) => {
      const { job_id: jobId } = parameters;
      const record = id === 'status' && succeeded(reply) ? bodyOf(reply) : null;
      if (record) records.set(jobId, record);
      if (record && cancelled.has(jobId)) return withBody(reply, { id: jobId, status: 'CANCELLED' });
      const elsewhere = records.get(jobId);
      if (id !== open || reply.status !== 404 || !elsewhere) return reply;
      if (id === 'cancel') cancelled.add(jobId);
      return json(200, answer(elsewhere));
    };
  });

const UNAUTHORIZED = 401;
const SUBMISSIONS = ['run', 'runsync'] as const;

const onJobs = (id: Outgoing['id']): boolean => jobIds.includes(id);
const good = (options: ReferenceOptions): string => `Bearer ${options.accessKeys[0] ?? ''}`;

/** Reads what came as Authorization for interface B in another way. */
const credential = (read: (header: string | null, good: string, id: string) => string | null): Plant =>
  rulesWithMemory((options): Partial<Rules> => {
    const { credential: before } = options.rules;
    return { credential: (id, header) => before(id, onJobs(id) ? read(header, good(options), id) : header) };
  });

/** Serves an unauthenticated request, and responds that it didn't. */
const actsThenRefuses =
  (id: Outgoing['id'], isUnauthenticated: (header: string | null, good: string) => boolean): Plant =>
  (options) => {
    const right = good(options);
    return all(
      credential((header, key, called) => (called === id && isUnauthenticated(header, key) ? key : header)),
      answers((reply, { id: called, headers }) =>
        called === id && isUnauthenticated(headers.get('authorization'), right)
          ? json(UNAUTHORIZED, { error: 'unauthorized' })
          : reply,
      ),
    )(options);
  };

/** Makes a job of a body without input, and says that it refused it. */
function queuesThenRefuses(id: 'run' | 'runsync'): Plant {
  return (options) => {
    let refuses = false;
    const takes = reading(id, (sent) => {
      refuses = !('input' in sent);
      return { input: {}, ...sent };
    });
    const reported = answers((reply, { id: called }) =>
      called === id && refuses && succeeded(reply)
        ? json(400, { error: 'bad request: body: input is missing' })
        : reply,
    );
    return all(takes, reported)(options);
  };
}

export const unauthenticatedMutants: readonly Mutant[] = [
  ...forAccounts,
  {
    name: 'instance-shares-status',
    clauses: ['jobs.foreign-job'],
    does: 'shows the status of a job through every instance',
    apply: known('status', (record) => record),
  },
  {
    name: 'instance-shares-status-sync',
    clauses: ['jobs.foreign-job'],
    does: 'shows by status-sync how a job of another instance stands',
    apply: known('status-sync', (record) => record),
  },
  {
    name: 'instance-shares-streams',
    clauses: ['jobs.foreign-job'],
    does: 'hands chunks of a job out through another instance',
    apply: known('stream', ({ id, status }) => ({ id, status, stream: [{ output: { chunk: 0 } }] })),
  },
  {
    name: 'instance-shares-cancels',
    clauses: ['jobs.foreign-job'],
    does: 'cancels a job through another instance',
    apply: known('cancel', ({ id }) => ({ id, status: 'CANCELLED' })),
  },
  ...SUBMISSIONS.flatMap((id): Mutant[] => [
    {
      name: `${id}-refused-for-its-key-and-done`,
      clauses: ['jobs.refused-without-effect'],
      does: `refuses ${id} without a valid key, and makes the job all the same`,
      apply: actsThenRefuses(id, (header) => header === null),
    },
    {
      name: `${id}-refused-for-its-body-and-done`,
      clauses: ['jobs.refused-without-effect'],
      does: `refuses a body without input for ${id}, and makes a job all the same`,
      apply: queuesThenRefuses(id),
    },
  ]),
  {
    name: 'cancel-refused-for-its-key-and-done',
    clauses: ['jobs.refused-without-effect'],
    does: 'refuses a cancel with a wrong key, and cancels all the same',
    apply: actsThenRefuses('cancel', (header, key) => header !== null && header !== key),
  },
];
