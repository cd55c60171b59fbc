/**
 * The same few statements about the baseline in every rendering: the expected failures, what is outdated, what was not
 * tested.
 */
import type { BaselineReport, KnownDeviation, ResultCheck, Results } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import { verdictWords } from '../words.ts';

/** What the baseline says of a known deviation, e.g. `expected to fail: counts per node (OPS-7, expires 2026-12-01)`. */
export function excuse({ verdict, reason, ticket, expires, flaky }: KnownDeviation): string {
  const notes = [ticket, expires && `expires ${expires}`, flaky && 'flaky'].filter(Boolean);
  return `expected to ${verdict}: ${reason}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/** The excuse of a check that is `known`. */
export const excuseOf = (check: Pick<ResultCheck, 'known'>): string | undefined => check.known && excuse(check.known);

/** `3 known deviations, next expires 2026-12-01`; undefined where nothing is known. */
export function debt({ checks, baseline }: Results): string | undefined {
  const known = checks.flatMap((check) => check.known ?? []);
  if (known.length === 0) return undefined;
  const fails = known.filter((one) => one.verdict === 'fail').length;
  const parts = [
    ...(fails > 0 ? [plural(fails, 'known failure')] : []),
    ...(known.length > fails ? [plural(known.length - fails, 'known warning')] : []),
  ];
  const next = baseline?.nextExpires ? `next expires ${baseline.nextExpires}` : 'no expiry date given';
  return `${parts.join(' and ')}, ${next}`;
}

/** What makes the baseline fail a run, e.g. `1 stale and 2 expired entries`; undefined where nothing does. */
export function outdatedWords(baseline: BaselineReport | undefined): string | undefined {
  const stale = baseline?.stale.length ?? 0;
  const expired = baseline?.expired.length ?? 0;
  if (stale + expired === 0) return undefined;
  const parts = [
    ...(stale > 0 ? [`${number(stale)} stale`] : []),
    ...(expired > 0 ? [`${number(expired)} expired`] : []),
  ];
  return `${parts.join(' and ')} ${(expired || stale) === 1 ? 'entry' : 'entries'}`;
}

/** Entries that fail the run, each with its kind. */
export function outdatedEntries(baseline: BaselineReport | undefined) {
  return [
    ...(baseline?.stale ?? []).map((entry) => ({ kind: 'stale', ...entry })),
    ...(baseline?.expired ?? []).map((entry) => ({ kind: 'expired', ...entry })),
  ];
}

export interface Remark {
  readonly text: string;
  /** Something has to be done about it. */
  readonly urgent: boolean;
}

/** What else there is to say, one sentence each: what was written, what lacks a reason, what was not observed. */
export function remarks(baseline: BaselineReport | undefined): Remark[] {
  if (!baseline) return [];
  const said = (text: string, urgent = false): Remark => ({ text, urgent });
  const { file, updated, unexplained, unobserved, quiet } = baseline;
  return [
    ...(updated ? [said(written(file, updated))] : []),
    ...(unexplained.length > 0
      ? [
          said(
            `${plural(unexplained.length, 'entry', 'entries')} of ${file} ${unexplained.length === 1 ? 'has' : 'have'} no reason yet: ` +
              `write one in place of TODO, for ${some(unexplained)}.`,
            true,
          ),
        ]
      : []),
    ...(quiet.length > 0 ? [said(`Flaky, and passed this time: ${some(quiet)}.`)] : []),
    ...(unobserved.length > 0
      ? [
          said(
            `${plural(unobserved.length, 'entry', 'entries')} of ${file} not observed in this run, and left alone: ${unseen(unobserved)}.`,
          ),
        ]
      : []),
  ];
}

function written(file: string, { added, removed, seen }: NonNullable<BaselineReport['updated']>): string {
  if (added.length + removed.length + seen.length === 0) return `${file} is up to date; nothing was written.`;
  return `${file} written: ${number(added.length)} added, ${number(removed.length)} removed, ${number(seen.length)} seen again.`;
}

const MOST_NAMED = 3;

function some(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMED;
  return ids.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${number(more)} more` : '');
}

function unseen(list: BaselineReport['unobserved']): string {
  const groups = new Map<string, number>();
  for (const { verdict } of list) {
    const word = verdict === null ? 'not selected' : verdictWords[verdict].word;
    groups.set(word, (groups.get(word) ?? 0) + 1);
  }
  return [...groups].map(([word, count]) => `${number(count)} ${word}`).join(', ');
}
