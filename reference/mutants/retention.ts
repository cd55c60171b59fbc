/** Faults in how long finished jobs stay that only a watch over their whole time tells apart (spec 8.2). */
import { limitFor, limitsOf } from '../../schemas/limits.ts';
import { isSubmitting } from '../../schemas/operations.ts';
import { json } from '../reply.ts';
import { bodyOf, succeeded, withMemory } from './answers.ts';
import { limitValues, type Mutant, type Plant } from './mutant.ts';

const GONE = { error: 'job not found' };
const both = ['run.retention', 'runsync.retention'] as const;

const percentShort = limitsOf('retention').map(
  ({ id, budget, value }): Mutant => ({
    name: `${budget}-retention-1-percent-short`,
    clauses: [id],
    does: `forgets a job of ${budget} when 99 % of its time are over`,
    apply: limitValues({ [id]: Math.floor(value * 0.99) }),
  }),
);

/** Gives out the record of a job that has completed once and never again. */
const once: Plant = withMemory(() => {
  const given = new Set<string>();
  return (reply, { id, parameters }) => {
    const job = parameters.job_id ?? '';
    if (id !== 'status' || !succeeded(reply)) return reply;
    if (given.has(job)) return json(404, GONE);
    if (bodyOf(reply)?.status === 'COMPLETED') given.add(job);
    return reply;
  };
});

/** Forgets what nobody has asked for when half of its time is over. */
const unasked: Plant = withMemory(() => {
  const since = new Map<string, number>();
  const asked = new Set<string>();
  const halfMs = (job: string): number =>
    (limitFor('retention', job.startsWith('sync-') ? 'runsync' : 'run')?.value ?? 0) / 2;
  return (reply, { id, parameters, clock }) => {
    const answer = isSubmitting(id) && succeeded(reply) ? bodyOf(reply) : null;
    if (answer) since.set(String(answer.id), clock.now());
    const job = parameters.job_id ?? '';
    const [bornMs, early] = [since.get(job), !asked.has(job)];
    if (id === null || bornMs === undefined || (early && clock.now() - bornMs > halfMs(job))) {
      return bornMs === undefined ? reply : json(404, GONE);
    }
    asked.add(job);
    return reply;
  };
});

export const retentionMutants: readonly Mutant[] = [
  ...percentShort,
  {
    name: 'records-given-out-once',
    clauses: both,
    does: 'shows by status that a job has completed once and never again',
    apply: once,
  },
  {
    name: 'unasked-jobs-forgotten-early',
    clauses: both,
    does: 'forgets a job that nobody has asked for when half of its time is over',
    apply: unasked,
  },
];
