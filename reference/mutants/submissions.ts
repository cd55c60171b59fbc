/** Faults in run and runsync: what they take, what they answer, and whose results come out (spec 4.2). */
import { body, bodyWithMemory, succeeded, withMemory } from './answers.ts';
import { all, type Mutant, reading } from './mutant.ts';

const SUBMISSIONS = ['run', 'runsync'] as const;
/** Longer than the job that is submitted to see whether run waits for it. */
const WAIT_MS = 3500;
const NOT_ASCII = /[^\x20-\x7e]/g;
const LOST_EVERY = 200;

const both = (make: (id: 'run' | 'runsync') => ReturnType<typeof reading>) => all(...SUBMISSIONS.map(make));

export const submissionMutants: readonly Mutant[] = [
  {
    name: 'run-waits',
    clauses: ['jobs.asynchronous'],
    does: 'answers run only after seconds, when the job may have ended',
    apply: withMemory(() => async (reply, { id, clock }) => {
      if (id === 'run' && succeeded(reply)) await clock.sleep(WAIT_MS);
      return reply;
    }),
  },
  {
    name: 'input-mangled',
    clauses: ['jobs.input'],
    does: 'replaces every character of an input that is not ASCII',
    apply: both((id) => reading(id, (sent) => JSON.parse(JSON.stringify(sent).replace(NOT_ASCII, '?')))),
  },
  {
    name: 'input-numbers-rounded',
    clauses: ['jobs.input'],
    does: 'rounds the numbers of an input',
    apply: both((id) =>
      reading(id, (sent) =>
        JSON.parse(JSON.stringify(sent, (_key, one) => (typeof one === 'number' ? Math.round(one) : one))),
      ),
    ),
  },
  {
    name: 'one-job-in-200-lost',
    clauses: ['jobs.asynchronous', 'jobs.id-in-paths', 'status.outputs'],
    does: `loses one job in ${LOST_EVERY}: its id is returned and never works`,
    apply: bodyWithMemory('run', () => {
      let count = 0;
      return (answer) => {
        count += 1;
        return count % LOST_EVERY === 0 ? { ...answer, id: `${String(answer.id)}-lost` } : answer;
      };
    }),
  },
  {
    name: 'runsync-job-unknown',
    clauses: ['runsync.job'],
    does: 'answers synchronous jobs with an id that nothing knows',
    apply: body('runsync', (answer) => ({ ...answer, id: `${String(answer.id)}-gone` })),
  },
];
