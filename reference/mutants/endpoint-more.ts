/** Faults in what a purge, health and the list of requests say of jobs in one state or another (spec 4.2). */
import { isObject } from '../../schemas/json.ts';
import { json, type Reply } from '../reply.ts';
import type { HealthCounts, Outgoing } from '../rules.ts';
import { body, bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { type Mutant, type Plant, rules } from './mutant.ts';

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (list: Row): readonly Row[] => (Array.isArray(list.requests) ? list.requests.filter(isObject) : []);

const NOT_FOUND = { error: 'job not found' };
/** More health requests than this in a second are refused; a client that polls now and then never sees it. */
const BURST = 15;

const health = (change: (counts: HealthCounts) => HealthCounts): Plant => rules({ health: change });
const jobs = (change: (counts: HealthCounts['jobs']) => Partial<HealthCounts['jobs']>): Plant =>
  health((counts) => ({ ...counts, jobs: { ...counts.jobs, ...change(counts.jobs) } }));
/** What a service remembers of an endpoint that was purged. */
interface Memory {
  /** The states that status last gave, by job id. */
  readonly states: Map<string, unknown>;
  /** Those states at the last purge, by instance. */
  readonly purged: Map<string, ReadonlyMap<string, unknown>>;
}

/** Changes the status of jobs after a purge; `was` is the state that the job had at the purge, if it was known. */
function afterPurge(change: (reply: Reply, was: unknown, about: Outgoing, memory: Memory) => Reply): Plant {
  return withMemory(() => {
    const memory: Memory = { states: new Map(), purged: new Map() };
    return (reply, about) => {
      const { id, parameters, caller } = about;
      if (id === 'purge-queue' && succeeded(reply)) memory.purged.set(caller.instId, new Map(memory.states));
      if (id !== 'status' || !succeeded(reply)) return reply;
      const jobId = parameters.job_id ?? '';
      if (memory.purged.size > 0) return change(reply, memory.purged.get(caller.instId)?.get(jobId), about, memory);
      memory.states.set(jobId, bodyOf(reply)?.status);
      return reply;
    };
  });
}

export const endpointMoreMutants: readonly Mutant[] = [
  {
    name: 'purge-only-hides',
    clauses: ['purge-queue.clears-queued'],
    does: 'hides queued jobs after a purge and works them off all the same',
    apply: (options) =>
      afterPurge((reply, was) => {
        const hidden = was === 'IN_QUEUE' && bodyOf(reply)?.status === 'IN_QUEUE';
        return hidden ? json(404, NOT_FOUND) : reply;
      })(rules({ purges: () => false })(options)),
  },
  {
    name: 'purge-forgets-finished',
    clauses: ['run.retention', 'status.outputs'],
    does: 'forgets jobs that have ended when it purges the queue',
    apply: afterPurge((reply, was) => (was === 'COMPLETED' ? json(404, NOT_FOUND) : reply)),
  },
  {
    name: 'purge-everywhere',
    clauses: ['purge-queue.clears-queued', 'jobs.instance'],
    does: 'purges the queues of all endpoints at once',
    apply: afterPurge((reply, _was, { caller }, { purged }) => {
      const record = bodyOf(reply);
      if (purged.has(caller.instId) || record?.status !== 'IN_QUEUE') return reply;
      return withBody(reply, { ...record, status: 'CANCELLED' });
    }),
  },
  {
    name: 'purge-strands-others',
    clauses: ['purge-queue.clears-queued', 'jobs.instance'],
    does: 'never starts the queued jobs of other endpoints after a purge',
    survives: 'the load fills the queue of the endpoint without workers, where no job ever starts',
    apply: afterPurge((reply, _was, { caller, parameters: { job_id: id = '' } }, { purged, states }) => {
      const isStranded = !purged.has(caller.instId) && states.get(id) === 'IN_QUEUE';
      return isStranded ? withBody(reply, { id, status: 'IN_QUEUE' }) : reply;
    }),
  },
  {
    name: 'health-queue-at-most-one',
    clauses: ['health.agrees'],
    does: 'says that one job waits however many do',
    apply: jobs(({ inQueue }) => ({ inQueue: Math.min(1, inQueue) })),
  },
  {
    name: 'health-failed-as-completed',
    clauses: ['health.agrees'],
    does: 'counts a job that fails as completed as well',
    apply: jobs(({ completed, failed }) => ({ completed: completed + failed })),
  },
  {
    name: 'health-refuses-bursts',
    clauses: ['health.unlimited'],
    does: `refuses health more than ${BURST} times within a second`,
    apply: rules({ extraRate: (id) => (id === 'health' ? { value: BURST, windowMs: 1000 } : null) }),
  },
  {
    name: 'requests-of-all-endpoints',
    clauses: ['jobs.instance'],
    does: 'lists the jobs of all endpoints on each of them',
    apply: withMemory(() => {
      const rows = new Map<string, Row>();
      return (reply, { id, caller }) => {
        const answer = succeeded(reply) ? bodyOf(reply) : null;
        if (id === 'run' && answer)
          rows.set(String(answer.id), { id: answer.id, status: 'COMPLETED', at: caller.instId });
        if (id !== 'requests' || !answer) return reply;
        const others = [...rows.values()].filter((row) => row.at !== caller.instId);
        return withBody(reply, { ...answer, requests: [...rowsOf(answer), ...others] });
      };
    }),
  },
  {
    name: 'requests-without-runsync',
    clauses: ['requests.own'],
    does: 'lists the jobs of run alone',
    apply: body('requests', (answer) => ({
      ...answer,
      requests: rowsOf(answer).filter(({ id }) => !String(id).startsWith('sync-')),
    })),
  },
];
