/**
 * Fixed windows of another length (spec 8.2). Their boundaries lie where those of the documented length do, every other
 * time or every third, so that many a look at them finds nothing.
 */
import { limitFor } from '../../schemas/limits.ts';
import { all, type Mutant, type Plant, settings, windowLengths } from './mutant.ts';

/** @throws Error when the table has lost the row, which only a programming error can cause. */
function rateOf(budget: 'run' | 'cancel') {
  const limit = limitFor('requests', budget);
  if (!limit) throw new Error(`no rate limit for '${budget}' in the limits table`);
  return limit;
}

const [run, cancel] = [rateOf('run'), rateOf('cancel')];

/** The kind of limiter is the same for all limits; those of the documented length are right in fixed windows too. */
const inFixedWindows = (windows: Readonly<Record<string, number>>): Plant =>
  all(settings({ limiter: 'fixed' }), windowLengths(windows));

export const rateWindowMutants: readonly Mutant[] = [
  {
    name: 'cancel-fixed-window-half',
    clauses: [cancel.id],
    does: 'counts cancel in fixed windows of half the length, so twice as many come through as should',
    turnsRed: [`${cancel.id}.enforced`],
    apply: inFixedWindows({ [cancel.id]: cancel.windowMs / 2 }),
  },
  {
    name: 'run-fixed-window-three-quarters',
    clauses: [run.id],
    does: 'counts run in fixed windows of three quarters of the length, so a third more come through than should',
    turnsRed: [`${run.id}.enforced`],
    apply: inFixedWindows({ [run.id]: 0.75 * run.windowMs }),
  },
  {
    name: 'cancel-fixed-window-long',
    clauses: [cancel.id],
    does: 'counts cancel in fixed windows half as long again, so a client within the limit is refused',
    turnsRed: [`${cancel.id}.guarantee`],
    apply: inFixedWindows({ [cancel.id]: 1.5 * cancel.windowMs }),
  },
];
