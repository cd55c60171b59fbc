/** What refusals and fields announce, held against what was answered later: from requests that are sent anyway. */
import type { Announcements, Obeyed, RateSurvivor } from '../../../../schemas/rate-facts.ts';
import { column, sortedColumn } from '../../../analysis/column.ts';
import { countBelow } from '../../../analysis/windows.ts';
import { type Announced, announcedIn } from './fields.ts';

interface Row {
  readonly sentMs: number;
  readonly firstByteMs: number;
  readonly note: string;
}

/** Sent so shortly after the time that was told, a request may come before it by the target's clock, ms. */
const GRAIN_MS = 2;

/**
 * @param all of the budget, in the order of sending
 * @param about the documented limit; `zeroMs` is the wall clock at which the ledger's own times are zero
 */
export function announcementsOf<R extends Row>(
  all: readonly R[],
  outcomeOf: (row: R) => 'admitted' | 'refused' | 'neither',
  survivors: readonly RateSurvivor[],
  about: { readonly limit: number; readonly windowMs: number; readonly zeroMs: number },
): Announcements {
  const { limit, windowMs, zeroMs } = about;
  const noted = all.filter(({ note }) => note !== '').map((row) => ({ row, says: saidBy(row, zeroMs) }));
  const refusals = noted.filter(({ row }) => outcomeOf(row) === 'refused');
  // What came back while it was answered may be reported already.
  const left = refusals.filter(
    ({ row, says }) => (says.left ?? 0) > Math.ceil((limit * (row.firstByteMs - row.sentMs)) / windowMs),
  );
  const policies = noted.flatMap(({ says }) => says.policies);
  const obey = obeyer(all, outcomeOf, survivors);
  return {
    fields: [...new Set(noted.flatMap(({ says }) => says.fields))].sort(),
    retryAfter: obey(refusals.map(({ row, says }) => ({ row, waitMs: says.retryAfterMs }))),
    reset: obey(refusals.map(({ row, says }) => ({ row, waitMs: says.resetMs }))),
    left: { refusals: left.length, most: Math.max(0, ...left.map(({ says }) => says.left ?? 0)) },
    policies: [...new Map(policies.map((one) => [`${one.quota} ${one.windowMs}`, one])).values()],
  };
}

const saidBy = ({ note, firstByteMs }: Row, zeroMs: number): Announced => announcedIn(note, zeroMs + firstByteMs);

/** Looks at the first request that was sent when a refusal had said that it may be. */
function obeyer<R extends Row>(
  all: readonly R[],
  outcomeOf: (row: R) => 'admitted' | 'refused' | 'neither',
  survivors: readonly RateSurvivor[],
) {
  const sent = column(all, ({ sentMs }) => sentMs);
  const ofAdmitted = all.filter((row) => outcomeOf(row) !== 'refused');
  const [admittedSent, admittedAnswered] = [
    sortedColumn(ofAdmitted, ({ sentMs }) => sentMs),
    sortedColumn(ofAdmitted, ({ firstByteMs }) => firstByteMs),
  ];
  // Where refused requests count, who asked meanwhile did not obey.
  const mayAsk = survivors.length > 0 && survivors.every(({ counts }) => counts !== 'all');
  const noneBetween = (from: R, to: R, at: number): boolean => {
    const admitted = countBelow(admittedSent, to.firstByteMs) - countBelow(admittedAnswered, from.sentMs);
    return admitted <= 0 && (mayAsk || countBelow(sent, from.sentMs) === at - 1);
  };
  return (refusals: readonly { readonly row: R; readonly waitMs: number | undefined }[]): Obeyed => {
    let [told, letIn, refused] = [0, 0, 0];
    let first: Obeyed['first'];
    for (const { row, waitMs } of refusals) {
      if (waitMs === undefined) continue;
      told += 1;
      const at = countBelow(sent, row.firstByteMs + waitMs + GRAIN_MS);
      const next = all[at];
      if (!next || outcomeOf(next) === 'neither') continue;
      if (outcomeOf(next) === 'admitted') letIn += 1;
      else if (noneBetween(row, next, at)) {
        refused += 1;
        first ??= { waitMs, atMs: row.firstByteMs, afterMs: next.sentMs - row.firstByteMs };
      }
    }
    return { told, letIn, refused, ...(first ? { first } : {}) };
  };
}
