/** Faults in whose a job is: it can be read, streamed, cancelled or listed through another instance or account. */
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import type { ReferenceOptions } from '../options.ts';
import { json } from '../reply.ts';
import { bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { type Mutant, type Plant, rulesWithMemory } from './mutant.ts';

const bearer = (keys: readonly string[]): string => `Bearer ${keys[0] ?? ''}`;

/** Takes the key of another account for that of the first, in some operations. */
const opens = (...open: readonly DocumentedOperationId[]): Plant =>
  rulesWithMemory((options: ReferenceOptions) => {
    const { credential } = options.rules;
    const stranger = bearer(options.otherKeys);
    return {
      credential: (id, header) => {
        const before = credential(id, header);
        return before === stranger && open.includes(id) ? bearer(options.accessKeys) : before;
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

export const lifeStrangerMutants: readonly Mutant[] = [
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
];
