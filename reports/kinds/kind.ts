/** What is particular to one kind of limit in a report: one room for each, and one line in the list of index.ts. */
import type { LoadFacts, Picture } from '../../schemas/facts.ts';
import type { Limit } from '../../schemas/limits.ts';
import type { ResultLimit } from '../../schemas/results.ts';
import type { RetentionFacts } from '../../schemas/retention.ts';
import type { Html } from '../html/html.ts';
import type { Claim, Doubt } from '../verdicts/claim.ts';
import type { JudgingContext } from '../verdicts/context.ts';

/** Of the facts of one kind of probe. */
export interface Judge<F extends LoadFacts> {
  /** By the ids of the checks. */
  judge(facts: F, context: JudgingContext): Record<string, Claim>;
  /** What weakens this evidence; single answers (a body) are left to those who judge them. */
  doubts?(facts: F, context: JudgingContext): readonly Doubt[];
}

export type Judges<K extends LoadFacts['kind']> = {
  readonly [N in K]: Judge<Extract<LoadFacts, { readonly kind: N }>>;
};

/** What was found out about one limit. */
export type LimitRow = Pick<ResultLimit, 'documented' | 'measured' | 'algorithm' | 'counts' | 'pictures' | 'health'>;

export interface KindOfLimit<L extends Limit> {
  /** As in `run: rate`. */
  readonly word: string;
  /** What the documentation says, with what has to hold. */
  documented(limit: L): string;
  /** An amount of it as text, such as `1,000 requests per 10 s`. */
  amount(amount: string, count: number, documented: ResultLimit['documented']): string;
  /** How its values are written; default: as numbers. */
  value?(value: number): string;
  /** @param own the facts of its own probes */
  row(limit: L, own: readonly LoadFacts[], found: Found): LimitRow;
}

/** All that a run found. */
export interface Found {
  readonly facts: readonly LoadFacts[];
  readonly watches: readonly RetentionFacts[];
}

export type Drawing<K extends Picture['kind']> = {
  readonly [N in K]: (picture: Extract<Picture, { readonly kind: N }>) => Html;
};
