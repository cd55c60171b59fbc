/** Faults in how long a job that has ended can be asked for, and by which operation (spec 8.2). */
import { limitFor } from '../../schemas/limits.ts';
import { type DocumentedOperationId, isSubmitting } from '../../schemas/operations.ts';
import { json, type Reply } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { bodyOf, succeeded, withMemory } from './answers.ts';
import type { Mutant, Plant } from './mutant.ts';

const GONE = { error: 'job not found' };
const kinds = ['run', 'runsync'] as const;
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
  apply: aboutJob((reply, { output }, { id: asked, parameters }) =>
    asked === id && reply.status === 404
      ? json(200, { id: parameters.job_id, status: 'COMPLETED', output, stream: [] })
      : reply,
  ),
});

const forgetsEarly = (id: DocumentedOperationId): Mutant => ({
  name: `${id}-forgets-early`,
  clauses: kinds.map((kind) => `${kind}.retention`),
  does: `answers ${id} only for half of the time that a finished job is available`,
  apply: aboutJob((reply, _known, { id: asked }, share) => (asked === id && share > 0.5 ? json(404, GONE) : reply)),
});

export const availabilityMutants: readonly Mutant[] = [
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
    clauses: kinds.map((kind) => `${kind}.retention`),
    does: 'forgets a finished job that was asked for three times after a fifth of its time',
    apply: aboutJob((reply, known, { id }, share) => {
      if (id !== 'status' || share < 0.2) return reply;
      known.reads += 1;
      return known.reads > 3 ? json(404, GONE) : reply;
    }),
  },
];
