/** The words of a judgement (design part 2), shared by everything that records, judges or prints one. */

/**
 * `documented`: the spec says so · `convention`: real clients depend on it · `observed`: recorded, never judged ·
 * `goal`: whoever configured the run wants it so.
 */
export type Level = ClauseLevel | 'goal';

/** What a clause can be. */
export type ClauseLevel = 'documented' | 'convention' | 'observed';

export const verdicts = [
  'pass',
  'fail',
  'warn',
  'observed',
  'inconclusive',
  'not-observable',
  'skipped',
  'error',
  'known',
] as const;

export type Verdict = (typeof verdicts)[number];

/** What a check is before it ran: its identity, what it asks and how much its answer weighs. */
export interface CheckDeclaration {
  /** Stable address, `SUBJECT.aspect[.detail]`, lower case; never derived from a position. */
  readonly id: string;
  /** One sentence that says what holds when the check passes. */
  readonly title: string;
  /** Ids of the clauses it asks about. */
  readonly clauses: readonly string[];
  readonly level: Level;
}
