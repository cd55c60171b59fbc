/** The shape of a mutant, and the ways to plant one that replace settings. Those that change answers are in answers.ts. */
import { isObject } from '../../schemas/json.ts';
import type { DocumentedOperationId } from '../../schemas/operations.ts';
import type { ReferenceOptions } from '../options.ts';
import type { Rules } from '../rules.ts';

export type Plant = (options: ReferenceOptions) => ReferenceOptions;

export interface Mutant {
  readonly name: string;
  /** The clauses it breaks. */
  readonly clauses: readonly string[];
  /** What the faulty service does, as a sentence without its subject. */
  readonly does: string;
  /** Documented load checks that must fail, all of them and no others; default: none. Others are recorded (../mutants.ts). */
  readonly killedBy?: readonly string[];
  /** Documented load checks that may fail as well: which of two probes comes first decides, and with it what it meets. */
  readonly mayBeKilledBy?: readonly string[];
  /** Conventions under load that must warn, all of them and no others. */
  readonly warns?: readonly string[];
  /** Checks that have to come before, where the fault shows only after some requests. */
  readonly after?: readonly string[];
  /** Why no check can notice it; such a mutant is left out where verdicts are compared. */
  readonly survives?: string;
  readonly apply: Plant;
}

/** Other rules. */
export function rules(change: Partial<Rules>): Plant {
  return (options) => ({ ...options, rules: { ...options.rules, ...change } });
}

/** Other rules that have a memory: made for each service, so that two of them never share it. */
export function rulesWithMemory(make: (options: ReferenceOptions) => Partial<Rules>): Plant {
  return (options) => rules(make(options))(options);
}

/** Other settings. */
export function settings(change: Partial<ReferenceOptions>): Plant {
  return (options) => ({ ...options, ...change });
}

/** Several faults at once, the first one first. */
export function all(...plants: readonly Plant[]): Plant {
  return (options) => plants.reduce((changed, plant) => plant(changed), options);
}

/** Other values for limits of the table, by id. */
export function limitValues(values: ReferenceOptions['limits']): Plant {
  return (options) => ({ ...options, limits: { ...options.limits, ...values } });
}

/** Other windows for rate limits of the table, by id, milliseconds. */
export function windowLengths(values: ReferenceOptions['windows']): Plant {
  return (options) => ({ ...options, windows: { ...options.windows, ...values } });
}

/** Reads the JSON bodies of one operation as something else. What is no object is left as it is. */
export function reading(
  id: DocumentedOperationId,
  change: (body: Readonly<Record<string, unknown>>) => unknown,
): Plant {
  return (options) => {
    const { understood } = options.rules;
    const changed = (called: DocumentedOperationId, body: unknown): unknown => {
      const before = understood(called, body);
      return called === id && isObject(before) ? change(before) : before;
    };
    return rules({ understood: changed })(options);
  };
}
