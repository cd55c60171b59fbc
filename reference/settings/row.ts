/**
 * One setting of the reference, said once: what it takes, its default, its meaning and what it fills. The type of the
 * options follows from the rows.
 */
import type { Takes } from './takes.ts';

interface More {
  /** The flag of `proofload serve` that sets it too. */
  readonly shorthand?: string;
  /** Keys: never on a command line, in a file only as a reference to the environment. */
  readonly secret?: true;
  /** The variable of the environment that has the one key, where it is set. */
  readonly variable?: string;
  /** Where the default can't be read from its value alone. */
  readonly defaultWords?: string;
  /** Completes a value in a short form before it is checked; anything it doesn't know is returned as it is. */
  readonly read?: (value: unknown) => unknown;
}

export interface Row<T = unknown> extends More {
  readonly takes: Takes<T>;
  /** Absent where the limits table has it. */
  readonly byDefault?: T;
  /** What it decides, as one sentence. */
  readonly meaning: string;
  /** What the specification leaves open here: clause ids, or a section where no clause says it. */
  readonly fills: readonly string[];
}

export const row = <T>(
  takes: Takes<T>,
  byDefault: NoInfer<T>,
  meaning: string,
  fills: readonly string[],
  more: More = {},
): Row<T> => ({ takes, byDefault, meaning, fills, ...more });
