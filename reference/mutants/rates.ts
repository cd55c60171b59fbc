/** Faults in the rate limits of spec 8.2. Every row of the table gets those that can be had in every row. */
import { limitFor, limitsOf, type RateLimit } from '../../schemas/limits.ts';
import { HEALTH_UNLIMITED } from '../../schemas/load-checks.ts';
import { type DocumentedOperationId, operation } from '../../schemas/operations.ts';
import { tooManyRequests } from '../errors.ts';
import { withMemory } from './answers.ts';
import {
  all,
  limitValues,
  type Mutant,
  type Plant,
  rules,
  rulesWithMemory,
  settings,
  windowLengths,
} from './mutant.ts';

/** The kind of limiter is the same for all limits; those of the documented length are right in fixed windows too. */
const inFixedWindows = (windows: Readonly<Record<string, number>>): Plant =>
  all(settings({ limiter: 'fixed' }), windowLengths(windows));

const SECOND_MS = 1000;

/** @throws Error when the table has lost the row, which only a programming error can cause. */
function rateOf(budget: 'run' | 'status' | 'cancel'): RateLimit {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for '${budget}' in the limits table`);
  return limit;
}

const [run, status, cancel] = [rateOf('run'), rateOf('status'), rateOf('cancel')];

const names = (limit: RateLimit): string => limit.operations.join(', ');

const oneOff = limitsOf('requests').flatMap((limit): readonly Mutant[] => [
  {
    name: `${limit.budget}-rate-${limit.value - 1}`,
    clauses: [limit.id],
    does: `refuses the last of the ${limit.value} requests that ${names(limit)} may have in a window`,
    killedBy: [`${limit.id}.guarantee`],
    apply: limitValues({ [limit.id]: limit.value - 1 }),
  },
  {
    name: `${limit.budget}-rate-${limit.value + 1}`,
    clauses: [limit.id],
    does: `takes one ${names(limit)} request more in a window than it should`,
    killedBy: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: limit.value + 1 }),
  },
]);

const raised = limitsOf('requests').map((limit): Mutant => {
  const value = limit.value + Math.max(2, Math.ceil(limit.value / 5));
  return {
    name: `${limit.budget}-rate-raised`,
    clauses: [limit.id],
    does: `takes ${value} ${names(limit)} requests per window`,
    killedBy: [`${limit.id}.enforced`],
    apply: limitValues({ [limit.id]: value }),
  };
});

/** A scope of its own for one budget; the others are counted as they should be. */
function scoped(budget: string, kind: 'rate' | 'concurrency', by: 'connection' | 'authorization'): Plant {
  return rulesWithMemory(({ rules: { scope } }) => ({
    scope: (id, counted, caller) => {
      const usual = scope(id, counted, caller);
      return counted === kind && operation(id).budget === budget ? `${usual} ${caller[by]}` : usual;
    },
  }));
}

/**
 * Refuses the other operation as well while this limit is used up: when a window holds as many as it may, or since a
 * refusal, until a request is admitted again. A shorter time would be met by some loads, and missed by others.
 */
const refusedWith = ({ operations, windowMs, value }: RateLimit, other: DocumentedOperationId): Plant =>
  withMemory(() => {
    const admitted: number[] = [];
    let usedUp = false;
    return (reply, about) => {
      const now = about.clock.now();
      if (operations.some((id) => id === about.id)) {
        usedUp = about.refusedBy === 'requests' || (usedUp && about.refusedBy !== null);
        if (about.refusedBy === null) admitted.push(now);
        if (admitted.length > value) admitted.shift();
      }
      const within = (ms = Number.NEGATIVE_INFINITY): boolean => now - ms < windowMs;
      const full = admitted.length === value && within(admitted[0]);
      const blocked = about.id === other && (full || (usedUp && within(admitted.at(-1))));
      return blocked ? tooManyRequests('jobs', 'too many requests', SECOND_MS) : reply;
    };
  });

const together = limitsOf('requests').map((limit): Mutant => {
  const other = limit.budget === 'cancel' ? 'requests' : 'cancel';
  return {
    name: `${other}-refused-with-${limit.budget}`,
    clauses: [limit.id, `${other}.rate`],
    does: `refuses ${other} as well while the rate limit of ${limit.budget} is used up`,
    killedBy: [`${other}.rate.guarantee`],
    // Noticed by requests to the one while the other is used up; the bursts come one after the other, in any order.
    mayBeKilledBy: [`${limit.id}.independent`],
    apply: refusedWith(limit, other),
  };
});

export { scoped };

export const rateMutants: readonly Mutant[] = [
  {
    name: 'run-rate-lowered',
    clauses: [run.id],
    does: 'refuses run from its 901st request in a window on',
    killedBy: [`${run.id}.guarantee`],
    apply: limitValues({ [run.id]: 900 }),
  },
  ...raised,
  ...oneOff,
  {
    name: 'run-rate-off',
    clauses: [run.id],
    does: 'takes any number of run requests in a window',
    killedBy: [`${run.id}.enforced`],
    apply: limitValues({ [run.id]: 'off' }),
  },
  {
    name: 'run-window-12s',
    clauses: [run.id],
    does: 'counts run in windows two seconds too long, so a client within the limit is refused',
    killedBy: [`${run.id}.guarantee`],
    apply: windowLengths({ [run.id]: run.windowMs + 2 * SECOND_MS }),
  },
  {
    name: 'run-window-11s',
    clauses: [run.id],
    does: 'counts run in windows one second too long, so a client within the limit is refused',
    killedBy: [`${run.id}.guarantee`],
    apply: windowLengths({ [run.id]: run.windowMs + SECOND_MS }),
  },
  {
    name: 'run-window-9s',
    clauses: [run.id],
    does: 'counts run in windows one second too short, so more come through than should',
    killedBy: [`${run.id}.enforced`],
    apply: windowLengths({ [run.id]: run.windowMs - SECOND_MS }),
  },
  {
    name: 'cancel-window-11s',
    clauses: [cancel.id],
    does: 'counts cancel in windows one second too long, so a client within the limit is refused',
    killedBy: [`${cancel.id}.guarantee`],
    apply: windowLengths({ [cancel.id]: cancel.windowMs + SECOND_MS }),
  },
  {
    name: 'status-rate-not-shared',
    clauses: [status.id],
    does: 'gives status, status-sync and stream a rate limit each',
    killedBy: [`${status.id}.shared`],
    apply: rules({ counter: (id, kind) => (kind === 'rate' ? id : operation(id).budget) }),
  },
  {
    name: 'stream-rate-apart',
    clauses: [status.id],
    does: 'leaves stream out of the rate limit that it shares',
    killedBy: [`${status.id}.shared`],
    apply: rules({
      counter: (id, kind) => (kind === 'rate' && id === 'stream' ? 'stream' : operation(id).budget),
    }),
  },
  {
    name: 'run-rate-per-connection',
    clauses: [run.id],
    does: 'counts run by connection, not by endpoint, so a client with several is let through',
    killedBy: [`${run.id}.enforced`],
    apply: scoped('run', 'rate', 'connection'),
  },
  {
    name: 'run-rate-per-key',
    clauses: [run.id],
    does: 'counts run by key, not by endpoint, so two keys get twice the limit',
    killedBy: [`${run.id}.enforced`],
    survives: 'the load has one key for interface B',
    apply: scoped('run', 'rate', 'authorization'),
  },
  {
    name: 'health-rate-limited',
    clauses: ['health.unlimited'],
    does: 'limits health as if it were run',
    killedBy: [HEALTH_UNLIMITED],
    apply: rules({ extraRate: (id) => (id === 'health' ? run : null) }),
  },
  {
    name: 'health-limited-at-the-highest',
    clauses: ['health.unlimited'],
    does: 'limits health as if it were status',
    killedBy: [HEALTH_UNLIMITED],
    apply: rules({ extraRate: (id) => (id === 'health' ? status : null) }),
  },
  ...together,
  {
    name: 'cancel-fixed-window-half',
    clauses: [cancel.id],
    does: 'counts cancel in fixed windows of half the length, so twice as many come through as should',
    killedBy: [`${cancel.id}.enforced`],
    apply: inFixedWindows({ [cancel.id]: cancel.windowMs / 2 }),
  },
  {
    name: 'run-fixed-window-three-quarters',
    clauses: [run.id],
    does: 'counts run in fixed windows of three quarters of the length, so a third more come through than should',
    killedBy: [`${run.id}.enforced`],
    apply: inFixedWindows({ [run.id]: 0.75 * run.windowMs }),
  },
  {
    name: 'cancel-fixed-window-long',
    clauses: [cancel.id],
    does: 'counts cancel in fixed windows twice as long, so a client within the limit is refused',
    killedBy: [`${cancel.id}.guarantee`],
    apply: inFixedWindows({ [cancel.id]: 2 * cancel.windowMs }),
  },
];
