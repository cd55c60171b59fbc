/**
 * Faults that show only while many requests are in flight, and faults in how long an ended job is available, and by
 * which operation (spec 8.2).
 */
import { limitFor, limitsOf } from '../../schemas/limits.ts';
import { type DocumentedOperationId, isSubmitting } from '../../schemas/operations.ts';
import { json, type Reply } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { limitValues, type Mutant, type Plant } from './mutant.ts';

/** So many requests in flight are a crowd to these faults; fewer never show them. */
const CROWD = 20;
const BREAKDOWN_CROWD = 100;
/** More than the contract checks send, and less than a load does. */
const SELDOM = 1500;
const FOUND_AFTER_MS = 200;

/** Gives a runsync the result of the one before it while more requests than that are in flight. */
const mixingUpAbove = (most: number): Plant =>
  withMemory(() => {
    let last: unknown = null;
    return (reply, { id, inFlight }) => {
      const record = id === 'runsync' && succeeded(reply) ? bodyOf(reply) : null;
      if (!record) return reply;
      const other = last;
      last = record.output;
      return inFlight > most ? withBody(reply, { ...record, output: other }) : reply;
    };
  });

const GONE = { error: 'job not found' };
const kinds = ['run', 'runsync'] as const;
const retentions = kinds.map((kind) => `${kind}.retention` as const);
type Kind = (typeof kinds)[number];

/** What is known of a job: how it came and when, and how often it was read. */
interface Known {
  readonly kind: Kind;
  readonly at: number;
  readonly output: unknown;
  reads: number;
}

const retentionMs = (kind: Kind): number => limitFor('retention', kind)?.value ?? 0;

/** Changes an answer about a job that was submitted here; `share` is what part of its time is over. */
function aboutJob(change: (reply: Reply, known: Known, about: Outgoing, share: number) => Reply): Plant {
  return withMemory(() => {
    const jobs = new Map<string, Known>();
    return (reply, about) => {
      const { id, parameters, clock } = about;
      const answer = succeeded(reply) ? bodyOf(reply) : null;
      if (isSubmitting(id) && answer) {
        // A synchronous job was submitted before it ran, and its answer comes after.
        const took = Number(answer.executionTime ?? 0) + Number(answer.delayTime ?? 0);
        jobs.set(String(answer.id), { kind: id, at: clock.now() - took, output: answer.output ?? 'kept', reads: 0 });
      }
      const known = jobs.get(parameters.job_id ?? '');
      return known ? change(reply, known, about, (clock.now() - known.at) / retentionMs(known.kind)) : reply;
    };
  });
}

const expiredShown = (id: DocumentedOperationId): Mutant => ({
  name: `${id}-shows-expired`,
  clauses: ['jobs.expired'],
  does: `still answers ${id} for a job whose time of availability is over`,
  apply: aboutJob((reply, { output }, { id: called, parameters }) =>
    called === id && reply.status === 404
      ? json(200, { id: parameters.job_id, status: 'COMPLETED', output, stream: [] })
      : reply,
  ),
});

const forgetsEarly = (id: DocumentedOperationId): Mutant => ({
  name: `${id}-forgets-early`,
  clauses: retentions,
  does: `answers ${id} only for half of the time that a finished job is available`,
  apply: aboutJob((reply, _known, { id: called }, share) => (called === id && share > 0.5 ? json(404, GONE) : reply)),
});

const percentShort = limitsOf('retention').map(
  ({ id, budget, value }): Mutant => ({
    name: `${budget}-retention-1-percent-short`,
    clauses: [id],
    does: `forgets a job of ${budget} when 99 % of its time are over`,
    apply: limitValues({ [id]: Math.floor(value * 0.99) }),
  }),
);

export const availabilityMutants: readonly Mutant[] = [
  {
    name: 'runsync-mixed-up-in-a-crowd',
    clauses: ['runsync.results'],
    does: `gives synchronous requests each other's results when more than ${CROWD} are in flight`,
    apply: mixingUpAbove(CROWD),
  },
  {
    name: 'status-500-in-a-crowd',
    clauses: ['status.job-status'],
    does: `responds 500 to status when more than ${BREAKDOWN_CROWD} requests are in flight`,
    survives:
      'a breakdown under load makes the check of a limit inconclusive, since it may be the load and not the limit',
    apply: answers((reply, { id, inFlight }) =>
      id === 'status' && inFlight > BREAKDOWN_CROWD ? json(500, { error: 'internal error' }) : reply,
    ),
  },
  {
    name: 'status-empty-now-and-then',
    clauses: ['status.route'],
    does: `answers each ${SELDOM}th successful status with an empty object`,
    warns: ['status.rate.served'],
    apply: withMemory(() => {
      let count = 0;
      return (reply, { id }) => {
        if (id !== 'status' || !succeeded(reply)) return reply;
        count += 1;
        return count % SELDOM === 0 ? withBody(reply, {}) : reply;
      };
    }),
  },
  {
    name: 'status-state-wrong-in-a-crowd',
    clauses: ['status.job-status'],
    does: `says of every job that it is queued when more than ${BREAKDOWN_CROWD} requests are in flight`,
    survives: 'the requests at once are distinguished by their statuses and times, not by their content',
    apply: answers((reply, { id, inFlight }) => {
      const record = id === 'status' && succeeded(reply) && inFlight > BREAKDOWN_CROWD ? bodyOf(reply) : null;
      return record ? withBody(reply, { ...record, status: 'IN_QUEUE' }) : reply;
    }),
  },
  ...(['status-sync', 'stream', 'cancel'] as const).map(expiredShown),
  ...(['status-sync', 'stream'] as const).map(forgetsEarly),
  ...kinds.map(
    (kind): Mutant => ({
      name: `${kind}-retention-from-submission`,
      clauses: [`${kind}.retention`],
      does: `counts the time that a ${kind} job is available from its submission`,
      apply: aboutJob((reply, known, _about, share) => (known.kind === kind && share >= 1 ? json(404, GONE) : reply)),
    }),
  ),
  {
    name: 'reading-shortens-retention',
    clauses: retentions,
    does: 'forgets a finished job that was polled three times after a fifth of its time',
    apply: aboutJob((reply, known, { id }, share) => {
      if (id !== 'status' || share < 0.2) return reply;
      known.reads += 1;
      return known.reads > 3 ? json(404, GONE) : reply;
    }),
  },
  ...percentShort,
  {
    name: 'run-found-late',
    clauses: ['jobs.id-in-paths', 'status.job-status'],
    does: 'knows a job of run only a fifth of a second after its submission, as one that is read from a copy',
    apply: aboutJob((reply, { kind }, _about, share) =>
      kind === 'run' && share * retentionMs(kind) < FOUND_AFTER_MS ? json(404, GONE) : reply,
    ),
  },
  {
    name: 'records-given-out-once',
    clauses: retentions,
    does: 'shows by status that a job has completed once and never again',
    apply: aboutJob((reply, known, { id }) => {
      if (id !== 'status' || !succeeded(reply)) return reply;
      if (known.reads > 0) return json(404, GONE);
      if (bodyOf(reply)?.status === 'COMPLETED') known.reads += 1;
      return reply;
    }),
  },
  {
    name: 'unasked-jobs-forgotten-early',
    clauses: retentions,
    does: 'forgets a job that was never polled when half of its time is over',
    apply: aboutJob((reply, known, _about, share) => {
      if (known.reads === 0 && share > 0.5) return json(404, GONE);
      known.reads += 1;
      return reply;
    }),
  },
];
