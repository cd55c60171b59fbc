/**
 * The shape of a row. Its name is bound to the options struct by its type: a row for a field that isn't there, or one
 * whose choices the field doesn't have, does not compile.
 */
import type { ReferenceOptions } from '../options.ts';
import type { Takes } from './takes.ts';

export interface Row<T = unknown> {
  readonly takes: Takes<T>;
  /** What it decides, as one sentence. */
  readonly meaning: string;
  /** What the specification leaves open here: clause ids, or a section where no clause says it. */
  readonly fills: readonly string[];
  /** The flag of `proofload serve` that sets it too. */
  readonly shorthand?: string;
  /** Keys: never on a command line, in a file only as a reference to the environment. */
  readonly secret?: true;
  /** Where the default isn't the value in `defaultOptions` alone. */
  readonly defaultWords?: string;
  /** Completes a value in a short form before it is checked; anything it doesn't know is returned as it is. */
  readonly read?: (value: unknown) => unknown;
}

/** The rules are decisions in code; limits and windows have a row for each limit of the table. */
type Plain = Omit<ReferenceOptions, 'rules' | 'limits' | 'windows'>;

/** Fields whose parts are settings of their own, such as `ttl.max`. */
type Parts = { readonly default: number };

type Flat<K extends keyof Plain> = Plain[K] extends Parts
  ? { [P in keyof Plain[K] & string as `${K}.${P}`]: Plain[K][P] }
  : { [N in K]: Plain[K] };

type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

type Values = Together<{ [K in keyof Plain]: Flat<K> }[keyof Plain]>;

/** A row for every plain setting, by its dotted name. */
export type Rows = { readonly [N in keyof Values]: Row<Values[N]> };
