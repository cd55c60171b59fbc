/** Faults in which jobs, instances and bodies interface B turns away, and in the ids it gives out. */
import type { Reply } from '../reply.ts';
import type { Outgoing } from '../rules.ts';
import { answers, bodyOf, replyWhere, statusWhere, succeeded, withBody, withMemory } from './answers.ts';
import { all, type Mutant, type Plant, reading, rules } from './mutant.ts';

// Who is let in without a key (spec part 5).

const UNAUTHORIZED = 401;
const OPERATIONS = ['models', 'chat', 'completions'] as const;

const withoutKey = OPERATIONS.map(
  (open): Mutant => ({
    name: `${open}-without-key`,
    clauses: ['inference.authorization', 'auth.bearer', 'auth.access-key'],
    does: `answers ${open} without a key`,
    apply: rules({ needsKey: (id) => id !== open }),
  }),
);

const streamsWithoutKey = (['chat', 'completions'] as const).map(
  (open): Mutant => ({
    name: `${open}-streams-without-key`,
    clauses: ['inference.authorization', 'auth.bearer', 'auth.access-key'],
    does: `answers ${open} without a key where a stream is asked for`,
    apply: (options) => {
      const taken = options.accessKeys.flatMap((key) => [`Bearer ${key}`, `bearer ${key}`]);
      const isWhole = (reply: Reply, { id, caller }: Outgoing): boolean =>
        id === open && typeof reply.body === 'string' && !taken.includes(caller.authorization);
      return all(rules({ needsKey: (id) => id !== open }), statusWhere(isWhole, UNAUTHORIZED))(options);
    },
  }),
);

const NOT_FOUND = 404;
const HELD_MS = 30_000;
const SUBMISSIONS = ['run', 'runsync'] as const;

const says = (reply: { readonly body: unknown }, text: string): boolean =>
  typeof reply.body === 'string' && reply.body.includes(text);

/** Gives the second of two submissions with one and the same body the id of the first. */
function merges(id: 'run' | 'runsync'): Plant {
  return (options) => {
    const pending: string[] = [];
    const ids = new Map<string, unknown>();
    const noting = reading(id, (sent) => {
      if ('input' in sent) pending.push(JSON.stringify(sent));
      return sent;
    });
    const merging = answers((reply, { id: called }) => {
      const answer = called === id && succeeded(reply) ? bodyOf(reply) : null;
      if (!answer) return reply;
      const sent = pending.shift() ?? '';
      ids.set(sent, ids.get(sent) ?? answer.id);
      return withBody(reply, { ...answer, id: ids.get(sent) });
    });
    return all(noting, merging)(options);
  };
}

export const jobsAccessMutants: readonly Mutant[] = [
  ...withoutKey,
  ...streamsWithoutKey,
  ...SUBMISSIONS.map(
    (id): Mutant => ({
      name: `${id}-duplicates-merged`,
      clauses: ['jobs.id-unique'],
      does: `takes a second submission to ${id} with the same body for the first one`,
      apply: merges(id),
    }),
  ),
  ...(['status-sync', 'cancel'] as const).map(
    (operation): Mutant => ({
      name: `${operation}-without-sync-jobs`,
      clauses: ['runsync.job'],
      does: `does not know synchronous jobs in ${operation}`,
      apply: replyWhere(
        (_reply, { id, parameters }) => id === operation && (parameters.job_id ?? '').startsWith('sync-'),
        NOT_FOUND,
        { error: 'job not found' },
      ),
    }),
  ),
  {
    name: 'ids-with-slash',
    clauses: ['jobs.id-plain'],
    does: 'gives out job ids with a slash in them',
    apply: rules({ jobId: (fresh) => `eu/${fresh}` }),
  },
  {
    name: 'unknown-jobs-waited-for',
    clauses: ['jobs.unknown-at-once'],
    does: `holds the answer about a job that never was for ${HELD_MS / 1000} seconds`,
    apply: withMemory(() => async (reply, { id, clock }) => {
      if (says(reply, 'job not found') && (id === 'status-sync' || id === 'stream')) await clock.sleep(HELD_MS);
      return reply;
    }),
  },
];
