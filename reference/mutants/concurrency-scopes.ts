/**
 * Faults in which requests are counted together when they are in flight at once (spec 8.1, 8.2): by connection, by HTTP
 * method or by each process alone, so that a client gets more than it should, and by everything but its address.
 */
import { type Limit, limitsOf } from '../../schemas/limits.ts';
import { operation } from '../../schemas/operations.ts';
import type { Caller } from '../rules.ts';
import { type Mutant, type Plant, rulesWithMemory } from './mutant.ts';

const jobs = limitsOf('concurrent-requests').filter((limit) => limit.per === 'endpoint');
const enforcedOf = (limits: readonly Limit[]): string[] => limits.map(({ id }) => `${id}.enforced`);
const named = (...ids: readonly string[]): readonly Limit[] => jobs.filter(({ id }) => ids.includes(id));

/** Counts the requests at once of these limits in more counters, one for each word that `part` finds for the caller. */
function apart(limits: readonly Limit[], part: () => (caller: Caller) => string): Plant {
  return rulesWithMemory(({ rules: { scope } }) => {
    const word = part();
    return {
      scope: (id, kind, caller) => {
        const usual = scope(id, kind, caller);
        const meant = kind === 'concurrency' && limits.some(({ budget }) => budget === operation(id).budget);
        return meant ? `${usual} ${word(caller)}` : usual;
      },
    };
  });
}

/** Connections fall to so many processes in turn. */
function processes(count: number): () => (caller: Caller) => string {
  return () => {
    const known = new Map<string, number>();
    return ({ connection }) => {
      const own = known.get(connection) ?? known.size % count;
      known.set(connection, own);
      return String(own);
    };
  };
}

/** Interface A counts by this instead of by address. */
function inferenceBy(word: (caller: Caller) => string): Plant {
  return rulesWithMemory(({ rules: { scope } }) => ({
    scope: (id, kind, caller) =>
      kind === 'concurrency' && operation(id).budget === 'inference' ? word(caller) : scope(id, kind, caller),
  }));
}

export const concurrencyScopeMutants: readonly Mutant[] = [
  {
    name: 'concurrency-per-connection',
    clauses: ['runsync.concurrency', 'status.concurrency'],
    does: 'counts all requests of interface B in flight by connection, not by endpoint',
    // Nothing is ever refused while it is held, so only long-polls can show how many were at once.
    killedBy: enforcedOf(named('runsync.concurrency', 'status.concurrency')),
    apply: apart(
      jobs,
      () =>
        ({ connection }) =>
          connection,
    ),
  },
  {
    name: 'cancel-concurrency-per-connection',
    clauses: ['cancel.concurrency'],
    does: 'counts cancel requests in flight by connection, not by endpoint',
    killedBy: enforcedOf(named('cancel.concurrency')),
    apply: apart(
      named('cancel.concurrency'),
      () =>
        ({ connection }) =>
          connection,
    ),
  },
  {
    name: 'status-concurrency-per-method',
    clauses: ['status.concurrency'],
    does: 'counts GET and POST of status, status-sync and stream apart, each up to the limit at once',
    killedBy: enforcedOf(named('status.concurrency')),
    apply: apart(
      named('status.concurrency'),
      () =>
        ({ method }) =>
          method,
    ),
  },
  {
    name: 'concurrency-per-process',
    clauses: jobs.map(({ id }) => id),
    does: 'counts requests of interface B in flight in each of four processes alone',
    killedBy: enforcedOf(jobs),
    apply: apart(jobs, processes(4)),
  },
  {
    name: 'run-concurrency-per-process',
    clauses: ['run.concurrency'],
    does: 'counts run requests in flight in each of two processes alone',
    killedBy: enforcedOf(named('run.concurrency')),
    apply: apart(named('run.concurrency'), processes(2)),
  },
  {
    name: 'inference-concurrency-for-all',
    clauses: ['inference.concurrency'],
    does: 'counts requests of interface A in flight for all client addresses together',
    killedBy: ['inference.concurrency.per-address'],
    apply: inferenceBy(() => ''),
  },
];
