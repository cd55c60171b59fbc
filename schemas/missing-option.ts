/** The outcome of what can't be observed until an option is given, in the same words wherever that is found out. */
import type { CheckOutcome } from './facts.ts';

/**
 * @param what a noun phrase, printed behind "needs"
 * @param option as it is written: a flag, or a variable of the environment
 */
export const needsOption = (
  what: string,
  option: string,
  because?: string,
): Extract<CheckOutcome, { kind: 'not-observable' }> => ({
  kind: 'not-observable',
  needs: `${what} (${option})${because === undefined ? '' : `: ${because}`}`,
  missing: [option],
});

/** Where none is listed. */
export const needsModel = needsOption('a model', '--model');
