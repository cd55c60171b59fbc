/** The shape of a mutant, and the two ways to plant one. */
import type { ReferenceOptions } from '../options.ts';
import type { Rules } from '../rules.ts';

export type Plant = (options: ReferenceOptions) => ReferenceOptions;

export interface Mutant {
  readonly name: string;
  /** The clauses it breaks. */
  readonly clauses: readonly string[];
  /** What the faulty service does, as a sentence without its subject. */
  readonly does: string;
  /** Documented checks that must fail, all of them. */
  readonly turnsRed: readonly string[];
  /** Convention checks that must warn, where contract checks notice the fault. */
  readonly warns?: readonly string[];
  readonly apply: Plant;
}

/** Other rules. */
export function rules(change: Partial<Rules>): Plant {
  return (options) => ({ ...options, rules: { ...options.rules, ...change } });
}

/** Other values for limits of the table, by id. */
export function limitValues(values: ReferenceOptions['limits']): Plant {
  return (options) => ({ ...options, limits: { ...options.limits, ...values } });
}

/** Other windows for rate limits of the table, by id, milliseconds. */
export function windowLengths(values: ReferenceOptions['windows']): Plant {
  return (options) => ({ ...options, windows: { ...options.windows, ...values } });
}
