/** Faults that show only where all jobs of a run are looked at together: ids, results, how long they are known. */
import { limitValues, type Mutant, rulesWithMemory } from './mutant.ts';

const SOON_MS = 5000;
/** So many jobs have the ids that came before. */
const APART = 40;

export const ownJobMutants: readonly Mutant[] = [
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
