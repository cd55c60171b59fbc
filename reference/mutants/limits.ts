/** Faults in the limits of spec part 7 and 8. Where the table has several rows of a kind, every row gets the fault. */
import { limitFor, limitsOf, type PayloadLimit, type RateLimit } from '../../schemas/limits.ts';
import { HEALTH_UNLIMITED } from '../../schemas/load-checks.ts';
import { operation } from '../../schemas/operations.ts';
import { limitValues, type Mutant, rules, windowLengths } from './mutant.ts';

const queueIds = limitsOf('queue').map((limit) => limit.id);
const onQueue = (aspect: 'guarantee' | 'enforced'): string[] => queueIds.map((id) => `${id}.${aspect}`);

/** @throws Error when the table has lost the row, which only a programming error can cause. */
function rateOf(budget: 'run' | 'status'): RateLimit {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for '${budget}' in the limits table`);
  return limit;
}

const run = rateOf('run');
const status = rateOf('status');

const raisedRates = limitsOf('requests').map((limit): Mutant => {
  const value = limit.value + Math.max(2, Math.ceil(limit.value / 5));
  return {
    name: `${limit.budget}-rate-raised`,
    clauses: [limit.id],
    does: `takes ${value} ${limit.operations.join(', ')} requests per window`,
    turnsRed: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: value }),
  };
});

const noConcurrency = limitsOf('concurrent-requests').map(
  (limit): Mutant => ({
    name: `${limit.budget}-concurrency-off`,
    clauses: [limit.id],
    does: `takes any number of ${limit.operations.join(', ')} requests at once`,
    turnsRed: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: 'off' }),
  }),
);

const noPayload = limitsOf('content-bytes').map(
  (limit: PayloadLimit): Mutant => ({
    name: `${limit.budget}-payload-off`,
    clauses: [limit.id],
    does: `takes ${limit.budget} bodies of any size`,
    turnsRed: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: 'off' }),
  }),
);

export const limitMutants: readonly Mutant[] = [
  {
    name: 'run-rate-lowered',
    clauses: [run.id],
    does: 'refuses run from its 901st request in a window on',
    turnsRed: [`${run.id}.guarantee`],
    apply: limitValues({ [run.id]: 900 }),
  },
  ...raisedRates,
  {
    name: 'run-window-12s',
    clauses: [run.id],
    does: 'counts run in windows two seconds too long, so a client within the limit is refused',
    turnsRed: [`${run.id}.guarantee`],
    apply: windowLengths({ [run.id]: run.windowMs + 2000 }),
  },
  {
    name: 'status-rate-not-shared',
    clauses: [status.id],
    does: 'gives status, status-sync and stream a rate limit each',
    turnsRed: [`${status.id}.shared`],
    apply: rules({ counter: (id, kind) => (kind === 'rate' ? id : operation(id).budget) }),
  },
  {
    name: 'health-rate-limited',
    clauses: ['health.unlimited'],
    does: 'limits health as if it were run',
    turnsRed: [HEALTH_UNLIMITED],
    apply: rules({ extraRate: (id) => (id === 'health' ? run : null) }),
  },
  ...noConcurrency,
  {
    name: 'run-concurrency-lowered',
    clauses: ['run.concurrency'],
    does: 'takes only 150 run requests at once',
    turnsRed: ['run.concurrency.guarantee'],
    apply: limitValues({ 'run.concurrency': 150 }),
  },
  {
    name: 'run-slot-leaked',
    clauses: ['run.concurrency'],
    does: 'never gives back the slot of a run request whose client went away',
    turnsRed: ['run.concurrency.freed'],
    apply: rules({ freesSlot: (id, aborted) => id !== 'run' || !aborted }),
  },
  {
    name: 'payload-8mb',
    clauses: ['run.payload'],
    does: 'refuses run bodies from 8,000,000 bytes on',
    turnsRed: ['run.payload.guarantee'],
    apply: limitValues({ 'run.payload': 7_999_999 }),
  },
  ...noPayload,
  {
    name: 'queue-or',
    clauses: queueIds,
    does: 'refuses for the queue when one of the two conditions holds',
    turnsRed: onQueue('guarantee'),
    apply: rules({
      queueRefuses: (queued, workersMax, limit) => queued > limit.value || queued > limit.perWorker * workersMax,
    }),
  },
  {
    name: 'queue-never-refuses',
    clauses: queueIds,
    does: 'takes jobs however long the queue is',
    turnsRed: onQueue('enforced'),
    apply: rules({ queueRefuses: () => false }),
  },
  {
    name: 'queue-border-early',
    clauses: queueIds,
    does: 'refuses for the queue ten jobs too early',
    turnsRed: onQueue('guarantee'),
    apply: (options) => {
      const { queueRefuses } = options.rules;
      return rules({ queueRefuses: (queued, workers, limit) => queueRefuses(queued + 10, workers, limit) })(options);
    },
  },
  {
    name: 'queue-border-late',
    clauses: queueIds,
    does: 'refuses for the queue ten jobs too late',
    turnsRed: onQueue('enforced'),
    apply: (options) => {
      const { queueRefuses } = options.rules;
      return rules({ queueRefuses: (queued, workers, limit) => queueRefuses(queued - 10, workers, limit) })(options);
    },
  },
];
