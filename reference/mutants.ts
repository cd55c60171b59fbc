/**
 * The reference with one planted fault each: what a suite must notice. A mutant replaces settings or rules, the core
 * knows nothing of it. `turnsRed` names the checks that must fail under it, and no other documented check may.
 */
import type { ReferenceOptions } from './options.ts';
import type { Rules } from './rules.ts';

export interface Mutant {
  readonly name: string;
  /** The clauses it breaks. */
  readonly clauses: readonly string[];
  /** What the faulty service does, as a sentence without its subject. */
  readonly does: string;
  readonly turnsRed: readonly string[];
  readonly apply: (options: ReferenceOptions) => ReferenceOptions;
}

const withRules =
  (change: Partial<Rules> | ((rules: Rules) => Partial<Rules>)) =>
  (options: ReferenceOptions): ReferenceOptions => ({
    ...options,
    rules: { ...options.rules, ...(typeof change === 'function' ? change(options.rules) : change) },
  });

const withLimits =
  (limits: ReferenceOptions['limits']) =>
  (options: ReferenceOptions): ReferenceOptions => ({ ...options, limits: { ...options.limits, ...limits } });

export const mutants: readonly Mutant[] = [
  {
    name: 'run-rate-lowered',
    clauses: ['run.rate'],
    does: 'refuses run from its 901st request in a window on',
    turnsRed: ['run.rate.guarantee'],
    apply: withLimits({ 'run.rate': 900 }),
  },
  {
    name: 'queue-or',
    clauses: ['run.queue', 'runsync.queue'],
    does: 'refuses for the queue when one of the two conditions holds',
    turnsRed: ['run.queue.guarantee', 'runsync.queue.guarantee'],
    apply: withRules({
      queueRefuses: (queued, workersMax, limit) => queued > limit.value || queued > limit.perWorker * workersMax,
    }),
  },
  {
    name: 'payload-8mb',
    clauses: ['run.payload'],
    does: 'refuses a run body from 8,000,000 bytes on',
    turnsRed: ['run.payload.guarantee'],
    apply: withLimits({ 'run.payload': 7_999_999 }),
  },
];

/** The mutant of this name, or undefined. */
export function mutantNamed(name: string): Mutant | undefined {
  return mutants.find((one) => one.name === name);
}

/** The options with the named faults planted, in order. Throws an Error that lists the names on an unknown one. */
export function applyMutants(options: ReferenceOptions, names: readonly string[]): ReferenceOptions {
  return names.reduce((changed, name) => {
    const mutant = mutantNamed(name);
    if (!mutant) throw new Error(`no mutant '${name}'; there are: ${mutants.map((one) => one.name).join(', ')}`);
    return mutant.apply(changed);
  }, options);
}
