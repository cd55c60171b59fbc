/** Faults in how many requests may be in flight at once, and in giving slots back (spec 8.1, 8.2). */
import { limitsOf } from '../../schemas/limits.ts';
import { operation } from '../../schemas/operations.ts';
import { limitValues, type Mutant, rules, rulesWithMemory } from './mutant.ts';
import { scoped } from './rates.ts';

const LEAK_EVERY = 100;

const rows = limitsOf('concurrent-requests').flatMap((limit): readonly Mutant[] => {
  const names = limit.operations.join(', ');
  return [
    {
      name: `${limit.budget}-concurrency-off`,
      clauses: [limit.id],
      does: `takes any number of ${names} requests at once`,
      killedBy: [`${limit.id}.enforced`],
      apply: limitValues({ [limit.id]: 'off' }),
    },
    {
      name: `${limit.budget}-concurrency-${limit.value - 1}`,
      clauses: [limit.id],
      does: `refuses the last of the ${limit.value} requests that ${names} may have at once`,
      killedBy: [`${limit.id}.guarantee`],
      apply: limitValues({ [limit.id]: limit.value - 1 }),
    },
    {
      name: `${limit.budget}-concurrency-${limit.value + 1}`,
      clauses: [limit.id],
      does: `takes one ${names} request more at once than it should`,
      killedBy: [`${limit.id}.enforced`],
      apply: limitValues({ [limit.id]: limit.value + 1 }),
    },
    {
      name: `${limit.budget}-slot-leaked`,
      clauses: [limit.id],
      does: `never gives back the slot of a request to ${names} whose client went away`,
      killedBy: [`${limit.id}.freed`],
      // A slot that is gone is missing when all of them are filled later.
      mayBeKilledBy: [`${limit.id}.guarantee`],
      apply: rules({ freesSlot: (id, aborted) => operation(id).budget !== limit.budget || !aborted }),
    },
  ];
});

/** All with the same key are one client then, wherever they send from. */
const byKey = rulesWithMemory(({ rules: { scope } }) => ({
  scope: (id, kind, caller) =>
    kind === 'concurrency' && operation(id).budget === 'inference' ? caller.authorization : scope(id, kind, caller),
}));

export const concurrencyMutants: readonly Mutant[] = [
  ...rows,
  {
    name: 'run-concurrency-lowered',
    clauses: ['run.concurrency'],
    does: 'takes only 150 run requests at once',
    killedBy: ['run.concurrency.guarantee'],
    apply: limitValues({ 'run.concurrency': 150 }),
  },
  {
    name: 'run-slot-leaked-in-100',
    clauses: ['run.concurrency'],
    does: `never gives back the slot of every ${LEAK_EVERY}th run request`,
    killedBy: ['run.concurrency.guarantee'],
    after: ['run.none-lost'],
    apply: rulesWithMemory(() => {
      let count = 0;
      const kept = (): boolean => {
        count += 1;
        return count % LEAK_EVERY === 0;
      };
      return { freesSlot: (id) => id !== 'run' || !kept() };
    }),
  },
  {
    name: 'run-concurrency-per-connection',
    clauses: ['run.concurrency'],
    does: 'counts run requests in flight by connection, not by endpoint',
    killedBy: ['run.concurrency.enforced'],
    apply: scoped('run', 'concurrency', 'connection'),
  },
  {
    name: 'inference-concurrency-per-key',
    clauses: ['inference.concurrency'],
    does: 'counts requests of interface A in flight by key, not by address',
    killedBy: ['inference.concurrency.per-address'],
    apply: byKey,
  },
];
