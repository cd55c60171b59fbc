/** Faults in the queue rule that show only at its border (spec part 7), and in what a purge does to a long queue. */
import { limitsOf, type QueueLimit } from '../../schemas/limits.ts';
import { PURGE_CLEARS } from '../../schemas/load-checks.ts';
import { bodyOf, succeeded, withBody, withMemory } from './answers.ts';
import { type Mutant, type Plant, rulesWithMemory } from './mutant.ts';
import { stillShut } from './payload-and-queue.ts';

const queueLimits = limitsOf('queue');
const queueIds = queueLimits.map((limit) => limit.id);
const onQueue = (aspect: 'guarantee' | 'enforced'): string[] => queueIds.map((id) => `${id}.${aspect}`);

/** A queue that the contract checks never reach: these faults are for the load to find. */
const LONG = 20;
const LATE_MS = 500;

/** The rule as if so many more jobs were queued, on endpoints with so many workers or for one submission only. */
function off(by: number, applies: (workersMax: number, limit: QueueLimit) => boolean): Plant {
  return rulesWithMemory(({ rules: { queueRefuses } }) => ({
    queueRefuses: (queued, workersMax, limit) =>
      queueRefuses(applies(workersMax, limit) ? queued + by : queued, workersMax, limit),
  }));
}

/** Counting the new job too is right, so what is refused too early is so by one more. */
const BY = { early: 2, late: -1 } as const;

function oneOff(name: string, whose: string, ids: readonly QueueLimit[], applies: Parameters<typeof off>[1]): Mutant[] {
  return (['early', 'late'] as const).map((side) => ({
    name: `${name}-one-${side}`,
    clauses: ids.map(({ id }) => id),
    does: `refuses ${whose} for the queue one job too ${side}`,
    killedBy: [
      ...ids.map(({ id }) => `${id}.${side === 'early' ? 'guarantee' : 'enforced'}`),
      ...(side === 'early' && ids.length === 1 ? ids.flatMap(stillShut) : []),
    ],
    apply: off(BY[side], applies),
  }));
}

/** Shut by a refusal, until half of the queue is gone. */
const stuck: Plant = rulesWithMemory(({ rules: { queueRefuses } }) => {
  const shut = new Set<number>();
  return {
    queueRefuses: (queued, workersMax, limit) => {
      if (queueRefuses(queued, workersMax, limit)) shut.add(workersMax);
      if (queued <= Math.max(limit.value, limit.perWorker * workersMax) / 2) shut.delete(workersMax);
      return shut.has(workersMax);
    },
  };
});

/** Each operation's jobs are held against the border by themselves, as if the other's were not queued. */
const apart: Plant = rulesWithMemory(({ rules: { queueRefuses } }) => {
  const taken = new Map<number, number>();
  return {
    queueRefuses: (queued, workersMax, limit) => {
      const sync = queued === 0 ? 0 : Math.min(queued, taken.get(workersMax) ?? 0);
      const isSync = limit.budget === 'runsync';
      const refused = queueRefuses(isSync ? sync : queued - sync, workersMax, limit);
      taken.set(workersMax, sync + (isSync && !refused ? 1 : 0));
      return refused;
    },
  };
});

/** All endpoints share one queue, as far as its length counts: where one is full, the others refuse too. */
const shared: Plant = rulesWithMemory(({ rules: { queueRefuses } }) => {
  const queuedAt = new Map<number, number>();
  return {
    queueRefuses: (queued, workersMax, limit) => {
      queuedAt.set(workersMax, queued);
      const inAll = [...queuedAt.values()].reduce((sum, one) => sum + one, 0);
      return queueRefuses(inAll, workersMax, limit);
    },
  };
});

const everyTenthStays: Plant = rulesWithMemory(({ rules: { queueRefuses, purges } }) => {
  let [longest, count] = [0, 0];
  return {
    queueRefuses: (queued, workersMax, limit) => {
      longest = queued;
      return queueRefuses(queued, workersMax, limit);
    },
    purges: (state) => {
      count += 1;
      return purges(state) && !(longest > LONG && count % 10 === 0);
    },
  };
});

/** Says of purged jobs that they are queued, for as long as the purge goes on behind its answer. */
const late: Plant = withMemory(() => {
  let doneAt = 0;
  return (reply, { id, clock }) => {
    const body = succeeded(reply) ? bodyOf(reply) : null;
    if (id === 'purge-queue' && Number(body?.removed) > LONG) doneAt = clock.now() + LATE_MS;
    const hidden = id === 'status' && body?.status === 'CANCELLED' && clock.now() < doneAt;
    return hidden ? withBody(reply, { id: body.id, status: 'IN_QUEUE' }) : reply;
  };
});

export const queueFaultMutants: readonly Mutant[] = [
  ...queueLimits.flatMap((limit) =>
    oneOff(`${limit.budget}-queue`, limit.budget, [limit], (_, one) => one.id === limit.id),
  ),
  ...[0, 1].flatMap((workers) =>
    oneOff(`queue-${workers}-workers`, `at WorkersMax ${workers}`, queueLimits, (workersMax) => workersMax === workers),
  ),
  {
    name: 'queue-stays-shut',
    clauses: queueIds,
    does: 'refuses for the queue, once it has, until half of the queue is gone',
    killedBy: [...onQueue('guarantee'), ...queueIds.map((id) => `${id}.reopens`)],
    apply: stuck,
  },
  {
    name: 'queue-border-each',
    clauses: queueIds,
    does: 'holds the jobs of run and those of runsync against the border apart',
    killedBy: onQueue('enforced'),
    apply: apart,
  },
  {
    name: 'queue-over-endpoints',
    clauses: ['run.queue'],
    does: 'counts the jobs that wait on all endpoints together',
    killedBy: ['run.queue.guarantee'],
    apply: shared,
  },
  {
    name: 'purge-every-tenth-stays',
    clauses: ['purge-queue.clears-queued'],
    does: 'leaves every tenth job of a long queue where it is when it purges',
    killedBy: [PURGE_CLEARS],
    apply: everyTenthStays,
  },
  {
    name: 'purge-late',
    clauses: ['purge-queue.clears-queued'],
    does: 'answers the purge of a long queue half a second before it is done',
    killedBy: [PURGE_CLEARS],
    apply: late,
  },
];
