/**
 * Telling a refusal from an answer. Only the queue's 429 is documented; another limit may refuse with something else.
 * So a status counts as a refusal when it is 429, or one that servers use for limits and that this operation does not
 * normally give.
 */
import type { LedgerRow } from '../../schemas/ledger-rows.ts';

const TOO_MANY_REQUESTS = 429;
const OTHER_REFUSALS: readonly number[] = [403, 420, 503, 509];
/** No answer, a server error, rejected credentials, a method that is not known: nothing that a limit was asked. */
const UNCLEAR: readonly number[] = [0, 401, 403, 405, 408];

export type Outcome = 'admitted' | 'refused' | 'neither';

export type Classify = (entry: LedgerRow) => Outcome;

/**
 * Makes a classifier from what the operation answered first. `neither`: no answer, a server error, or rejected
 * credentials; such an entry says nothing about a limit.
 * @param all where it refuses with 429, a server error beside that is none of its refusals
 */
export function classifier(entries: readonly LedgerRow[], all: readonly LedgerRow[] = []): Classify {
  const normal = normalStatus(entries);
  const has429 = all.some(({ status }) => status === TOO_MANY_REQUESTS);
  return ({ status }) => (has429 && status >= 500 ? 'neither' : outcomeOf(status, normal));
}

/** @param normal what the operation answers where it is not refused */
export function outcomeOf(status: number, normal: number): Outcome {
  if (status === TOO_MANY_REQUESTS) return 'refused';
  if (status !== normal && OTHER_REFUSALS.includes(status)) return 'refused';
  if (UNCLEAR.includes(status) || status >= 500) return 'neither';
  return 'admitted';
}

/** The commonest status among the first tenth of the entries, by sending; 0 when there are none. */
function normalStatus(entries: readonly LedgerRow[]): number {
  const bySending = [...entries].sort((a, b) => a.sentMs - b.sentMs);
  const first = bySending.slice(0, Math.max(1, Math.ceil(entries.length / 10)));
  const counts = Object.entries(countStatuses(first)).sort((a, b) => b[1] - a[1]);
  return Number(counts[0]?.[0] ?? 0);
}

export function countStatuses(entries: readonly LedgerRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
