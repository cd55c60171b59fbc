/**
 * What a clause is. A clause is one promise of the documentation in our own words, or one thing it leaves open; checks,
 * verdicts and coverage all refer to clauses by id, so a finding can always be traced to the sentence it rests on.
 */
import type { DocumentedOperationId } from '../operations.ts';
import type { ClauseLevel } from '../verdicts.ts';
import type { Breaks } from './clients.ts';

export interface Clause {
  /** Stable, `SUBJECT.aspect[.detail]`, lower case. */
  readonly id: string;
  /** Section of the documentation, such as `4.2`. For a convention: the section that is silent about it. */
  readonly section: string;
  readonly level: ClauseLevel;
  readonly text: string;
  readonly operations?: readonly DocumentedOperationId[];
  /** For a convention, and only there: why it is no promise of the documentation. */
  readonly because?: string;
  /** For a convention, and only there: the clients that break without it, and what breaks. */
  readonly clients?: Breaks;
  /** Whether requests alone can show it; otherwise what a target would have to offer. */
  readonly observable: true | { readonly needs: string };
}

type Operations = readonly DocumentedOperationId[];

export const INFERENCE: Operations = ['models', 'chat', 'completions'];
export const COMPLETING: Operations = ['chat', 'completions'];
/** Those that share a rate limit. */
export const READING: Operations = ['status', 'status-sync', 'stream'];

/** The ways to write down a clause of one section; `text` is the clause as a sentence. */
export const section = (number: string) => {
  const clause = (level: ClauseLevel, id: string, text: string, operations?: Operations): Clause => ({
    id,
    section: number,
    level,
    text,
    observable: true,
    ...(operations ? { operations } : {}),
  });
  /** Something the documentation says it doesn't show: recorded, never judged. */
  const gap = (id: string, text: string, operations: Operations): Clause =>
    clause('observed', `gap.${id}`, text, operations);
  return {
    gap,
    /** A promise of the documentation that requests can show. */
    promise: (id: string, text: string, operations?: Operations): Clause => clause('documented', id, text, operations),
    /** A promise of the documentation that requests alone can't show. @param needs what would show it */
    unobservable: (id: string, text: string, needs: string, operations?: Operations): Clause => ({
      ...clause('documented', id, text, operations),
      observable: { needs },
    }),
    /** A gap where requests alone can't show what is left open. @param needs what would show it */
    unobservableGap: (id: string, text: string, needs: string, operations: Operations): Clause => ({
      ...gap(id, text, operations),
      observable: { needs },
    }),
    /** What most services do where the documentation is silent, though no client needs it: recorded, never judged. */
    habit: (id: string, text: string, operations: Operations): Clause => clause('observed', id, text, operations),
    /**
     * Something that real clients depend on and the documentation does not promise.
     * @param because what the documentation leaves open, as a clause of a sentence
     */
    convention: (id: string, text: string, because: string, clients: Breaks, operations: Operations): Clause => ({
      ...clause('convention', id, text, operations),
      because,
      clients,
    }),
  };
};
