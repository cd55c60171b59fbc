/** Jobs that are taken and then never worked off, while everything around them is. */
import { body, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { all, type Mutant } from './mutant.ts';

const LOST_EVERY = 200;
const LOOKS = ['status', 'status-sync'] as const;

export const lostJobMutants: readonly Mutant[] = [
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
      const waiting = LOOKS.map((look) =>
        body(look, (answer) => (lost.has(answer.id) ? { id: answer.id, status: 'IN_QUEUE' } : answer)),
      );
      return all(losing, ...waiting)(options);
    },
  },
];
