/** Faults in the operations on a whole endpoint: purge-queue, health, requests (spec 4.2). */
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../schemas/load-checks.ts';
import { isFinal } from '../jobs/states.ts';
import { json } from '../reply.ts';
import { instead, withMemory } from './answers.ts';
import { type Mutant, rules, rulesWithMemory } from './mutant.ts';

const GONE = { error: 'not found' };
const NOT_FOUND = 404;

export const endpointMutants: readonly Mutant[] = [
  {
    name: 'purge-kills-running',
    clauses: ['purge-queue.keeps-running'],
    does: 'takes running jobs along when it purges the queue',
    killedBy: [PURGE_KEEPS_RUNNING],
    apply: rules({ purges: (state) => !isFinal(state) }),
  },
  {
    name: 'purge-does-nothing',
    clauses: ['purge-queue.clears-queued'],
    does: 'answers a purge and leaves the queue as it is',
    killedBy: [PURGE_CLEARS],
    apply: rules({ purges: () => false }),
  },
  {
    name: 'purge-every-other',
    clauses: ['purge-queue.clears-queued'],
    does: 'leaves every other queued job where it is when it purges',
    killedBy: [PURGE_CLEARS],
    apply: rulesWithMemory(() => {
      let count = 0;
      const other = (): boolean => {
        count += 1;
        return count % 2 === 0;
      };
      return { purges: (state) => state === 'IN_QUEUE' && other() };
    }),
  },
  {
    name: 'purge-locks',
    clauses: ['purge-queue.result'],
    does: 'takes no job right after a purge',
    killedBy: [PURGE_CLEARS],
    apply: withMemory(() => {
      const locked = new Set<string>();
      return (reply, { id, caller }) => {
        if (id === 'purge-queue' && reply.status === 200) locked.add(caller.instId);
        return id === 'run' && locked.delete(caller.instId) ? json(409, { error: 'the queue is locked' }) : reply;
      };
    }),
  },
  {
    name: 'health-gone',
    clauses: ['health.route', 'health.statistics', 'jobs.operations', 'versioning.jobs'],
    does: 'does not know the path of health',
    apply: instead('health', NOT_FOUND, GONE),
  },
];
