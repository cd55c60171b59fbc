/** The words of a judgement, shared by everything that records, judges or prints one. */
import { choice, id, list, type TypeOf, text } from './schema-words.ts';

/** What a clause can be. */
export type ClauseLevel = 'documented' | 'convention' | 'observed';

/**
 * `documented`: the spec says so · `convention`: real clients depend on it · `observed`: recorded, never judged ·
 * `goal`: set by the configuration of the run.
 */
export type Level = ClauseLevel | 'goal';

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

export const verdict = choice(...verdicts);

/** What a check is before it ran: its identity, its requirement and its level. */
export const checkDeclaration = {
  /** Stable address, `SUBJECT.aspect[.detail]`, lower case; never derived from a position. */
  id,
  /** One sentence that says what holds when the check passes. */
  title: text,
  /** Ids of its clauses. */
  clauses: list(text),
  level: choice('documented', 'convention', 'observed', 'goal'),
} as const;

export type CheckDeclaration = { readonly [K in keyof typeof checkDeclaration]: TypeOf<(typeof checkDeclaration)[K]> };
