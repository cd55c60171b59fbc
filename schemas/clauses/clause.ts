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

/** A promise of the documentation that requests can show. */
export function promise(section: string, id: string, text: string, operations?: Operations): Clause {
  return { id, section, level: 'documented', text, observable: true, ...(operations ? { operations } : {}) };
}

/** A promise of the documentation that requests alone can't show. */
export function unobservable(
  section: string,
  id: string,
  text: string,
  needs: string,
  operations?: Operations,
): Clause {
  return { ...promise(section, id, text, operations), observable: { needs } };
}

/** Something the documentation says it doesn't show: recorded, never judged. */
export function gap(section: string, id: string, text: string, operations: Operations): Clause {
  return { ...promise(section, `gap.${id}`, text, operations), level: 'observed' };
}

/** The same, where requests alone can't show what is left open. */
export function unobservableGap(
  section: string,
  id: string,
  text: string,
  needs: string,
  operations: Operations,
): Clause {
  return { ...gap(section, id, text, operations), observable: { needs } };
}

/** What most services do where the documentation is silent, though no client needs it: recorded, never judged. */
export function habit(section: string, id: string, text: string, operations: Operations): Clause {
  return { ...promise(section, id, text, operations), level: 'observed' };
}

/**
 * Something that real clients depend on and the documentation does not promise.
 * @param because what the documentation leaves open, as a clause of a sentence
 */
export function convention(
  section: string,
  id: string,
  text: string,
  because: string,
  clients: Breaks,
  operations: Operations,
): Clause {
  return { ...promise(section, id, text, operations), level: 'convention', because, clients };
}
