/** Faults that show only across all jobs of a run: ids, results, how long they are known. */
import { body, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { all, limitValues, type Mutant, rulesWithMemory } from './mutant.ts';

// Jobs that are taken and then never worked off, while everything around them is.

const LOST_EVERY = 200;
const POLLS = ['status', 'status-sync'] as const;

const SOON_MS = 5000;
/** So many jobs have the ids that came before. */
const APART = 40;

export const ownJobMutants: readonly Mutant[] = [
  {
    name: 'one-job-in-200-never-picked-up',
    clauses: ['jobs.asynchronous', 'status.outputs'],
    does: `leaves one job in ${LOST_EVERY} in the queue for ever`,
    apply: (options) => {
      const lost = new Set<unknown>();
      let count = 0;
      const losing = withMemory(() => (reply, { id }) => {
        const answer = id === 'run' && succeeded(reply) ? bodyOf(reply) : null;
        if (!answer) return reply;
        count += 1;
        if (count % LOST_EVERY === 0) lost.add(answer.id);
        return withBody(reply, answer);
      });
      const waiting = POLLS.map((read) =>
        body(read, (answer) => (lost.has(answer.id) ? { id: answer.id, status: 'IN_QUEUE' } : answer)),
      );
      return all(losing, ...waiting)(options);
    },
  },
  {
    name: 'run-forgotten-soon',
    clauses: ['run.retention', 'jobs.id-in-paths'],
    does: 'forgets run jobs five seconds after their end',
    apply: limitValues({ 'run.retention': SOON_MS }),
  },
  {
    name: 'runsync-forgotten-soon',
    clauses: ['runsync.retention'],
    does: 'forgets runsync jobs five seconds after their end',
    apply: limitValues({ 'runsync.retention': SOON_MS }),
  },
  {
    name: 'ids-come-again',
    clauses: ['jobs.id-unique'],
    does: `gives a job the id of the one that came ${APART} jobs before it`,
    apply: rulesWithMemory(() => {
      const given: string[] = [];
      return {
        jobId: (fresh) => {
          const id = given.length >= APART ? (given[given.length - APART] ?? fresh) : fresh;
          given.push(id);
          return id;
        },
      };
    }),
  },
];
