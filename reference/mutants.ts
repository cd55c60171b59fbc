/**
 * The reference with one planted fault each: what a suite must notice. A mutant replaces settings or rules; the core
 * knows nothing of it. `turnsRed` names the checks that must fail under it, and no other documented check may; where
 * nothing documented is broken it is empty, and `warns` names the conventions that are.
 *
 * Faults in a limit come first, made from the limits table; then the faults in what operations do.
 */
import { contractMutants } from './mutants/contract.ts';
import { limitMutants } from './mutants/limits.ts';
import type { Mutant } from './mutants/mutant.ts';
import type { ReferenceOptions } from './options.ts';

export type { Mutant } from './mutants/mutant.ts';

export const mutants: readonly Mutant[] = [...limitMutants, ...contractMutants];

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
