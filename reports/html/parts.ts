/** Pieces of the page that several sections use. */
import type { Clause } from '../../schemas/clauses/clause.ts';
import type { Exchange } from '../../schemas/facts.ts';
import type { ResultCheck, Results } from '../../schemas/results.ts';
import type { Verdict } from '../../schemas/verdicts.ts';
import { cut } from '../text.ts';
import { verdictWords } from '../words.ts';
import { type Html, html } from './html.ts';

/** What every section is rendered from. */
export interface PageInput {
  readonly results: Results;
  readonly clauses: ReadonlyMap<string, Clause>;
  /** Ids of checks that have a place on the page to link to. */
  readonly checkIds: ReadonlySet<string>;
  /** The exchanges that are shown of each check, by its id. */
  readonly evidence: ReadonlyMap<string, readonly Exchange[]>;
}

/** Word of a verdict; the style sheet puts its sign before it. */
export function badge(verdict: Verdict): Html {
  return html`<span class="badge v-${verdict}">${verdictWords[verdict].word}</span>`;
}

/** Needs no attention: it passed, or is only recorded. */
export const isQuiet = ({ verdict }: Pick<ResultCheck, 'verdict'>): boolean =>
  verdict === 'pass' || verdict === 'observed';

/** The anchor of a check; it stays the same, so that bookmarks keep working. */
export const anchor = (checkId: string): string => `check-${checkId}`;

/** A link to a check, by its id or another text; plain text where the page has no such check. */
export function checkLink({ checkIds }: PageInput, id: string, label: Html | string = id): Html {
  if (!checkIds.has(id)) return html`${label}`;
  return html`<a href="#${encodeURIComponent(anchor(id))}">${label}</a>`;
}

/** A page is for reading; results.json has the whole. */
export const MOST_CHARACTERS = 1500;

/** Expected and observed of a check, and its reason where it has one. */
export function expectedObserved(check: Pick<ResultCheck, 'expected' | 'observed' | 'reason'>): Html {
  const reason = check.reason && check.reason !== check.observed ? check.reason : undefined;
  return html`<dl class="pair">
<dt>Expected</dt><dd>${cut(check.expected, MOST_CHARACTERS)}</dd>
<dt>Observed</dt><dd>${cut(check.observed, MOST_CHARACTERS)}</dd>
${reason && html`<dt>Reason</dt><dd>${cut(reason, MOST_CHARACTERS)}</dd>`}
</dl>`;
}

/** A sentence of ours in which names stand between backticks. */
export function withCode(text: string): Html {
  return html`${cut(text, MOST_CHARACTERS)
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A clause in our words with its section; the bare id where the text is not known. */
export function clauseLine({ clauses }: PageInput, id: string): Html {
  const clause = clauses.get(id);
  if (!clause) return html`<code>${id}</code>`;
  return html`${clause.text} <span class="muted small">(section ${clause.section}, <code>${id}</code>)</span>`;
}
