/**
 * Distinguishing a refusal from an answer. Only the queue's 429 is documented; other limits refuse in any way their
 * authors chose: a status that the operation doesn't have otherwise, a body that says so under status 200, a closed
 * connection.
 */
import type { LedgerRow, Many } from '../../schemas/ledger-rows.ts';
import { CLOSED } from '../../schemas/rate-facts.ts';
import { isCut } from '../k6/lib/error-text.ts';
import { limitFieldsIn } from '../limit-fields.ts';
import { leastOf } from './column.ts';

const TOO_MANY_REQUESTS = '429';
/** Other statuses that servers use for limits. */
const OTHER_REFUSALS: readonly string[] = ['403', '420', '503', '509'];
/** No response, rejected credentials, an unknown method: the limit was not involved. */
const UNCLEAR: readonly string[] = ['0', '401', '403', '405', '408'];

export type Outcome = 'admitted' | 'refused' | 'neither';

export type Classify = (entry: LedgerRow) => Outcome;

/**
 * The form of a response, as far as it distinguishes an admission from a refusal: `429`, `closed connection`, `200
 * "rate limited"`.
 */
export function formOf({ status, error, note }: Pick<LedgerRow, 'status' | 'error' | 'note'>): string {
  if (status === 0) return isCut(error) ? CLOSED : '0';
  const body = status < 400 && note !== '' ? limitFieldsIn(note).body : undefined;
  return body === undefined ? `${status}` : `${status} "${body}"`;
}

const SERVED = /^[23]\d\d$/;
const isServerError = (form: string): boolean => /^5\d\d$/.test(form);

/**
 * Makes a classifier from what the operation answered first. `neither`: no answer, a server error, or rejected
 * credentials; such an entry says nothing about a limit.
 * @param first sent before any limit can have been reached
 * @param beyond sent when it must have been: what is commonest there and didn't come before is the refusal. A limit goes on
 * refusing, so it comes early and late there; an outage is over at some time
 * @param within sent by a client that keeps the limit, with `first` among them
 */
export function classifier(
  first: Many<LedgerRow>,
  beyond: Many<LedgerRow> = [],
  within: Many<LedgerRow> = first,
): Classify {
  const beginUntil = Math.max(1, Math.ceil(first.length / 10));
  const begin = countForms(first.toSorted((a, b) => a.sentMs - b.sentMs).filter((_, index) => index < beginUntil));
  const normal = commonest(begin);
  // A network that breaks connections, and what is answered where something is done twice to a job, is met there as well.
  const lawful = countForms(within);
  const isUsual = (form: string): boolean =>
    form in (form === CLOSED || (/^4\d\d$/.test(form) && !OTHER_REFUSALS.includes(form)) ? lawful : begin);
  const [early, late] = halvesOf(beyond);
  const may = (form: string): boolean =>
    form in late && !isUsual(form) && !UNCLEAR.includes(form) && !SERVED.test(form);
  const both = Object.entries(early).flatMap(([form, count]) =>
    may(form) ? [[form, count + (late[form] ?? 0)] as const] : [],
  );
  const found = commonest(Object.fromEntries(both));
  const has429 = TOO_MANY_REQUESTS in early || TOO_MANY_REQUESTS in late;
  const isRefusal = (form: string): boolean => {
    if (form === TOO_MANY_REQUESTS) return true;
    // Where others are 429, a server error or a closed connection is an accident.
    if (has429 && (isServerError(form) || form === CLOSED)) return false;
    if (form === found) return true;
    // The requests beyond a limit have shown already whether a server error is a refusal.
    return form !== normal && OTHER_REFUSALS.includes(form) && !(beyond.length > 0 && isServerError(form));
  };
  const outcomeOf = (form: string): Outcome => {
    if (isRefusal(form)) return 'refused';
    return UNCLEAR.includes(form) || form === CLOSED || isServerError(form) ? 'neither' : 'admitted';
  };
  // Of a million answers nearly all are known by their status alone, and no text is made of each.
  const byStatus = new Map<number, Outcome>();
  return (entry) => {
    const { status } = entry;
    if (status === 0 || (status < 400 && entry.note !== '')) return outcomeOf(formOf(entry));
    const known = byStatus.get(status) ?? outcomeOf(`${status}`);
    byStatus.set(status, known);
    return known;
  };
}

type Counts = Record<string, number>;

/** What came in the first half of the time, and what in the second. */
function halvesOf(entries: Many<LedgerRow>): readonly [Counts, Counts] {
  const from = leastOf(entries, ({ sentMs }) => sentMs);
  const to = -leastOf(entries, ({ sentMs }) => -sentMs);
  const isEarly = ({ sentMs }: LedgerRow): boolean => sentMs <= (from + to) / 2;
  return [countForms(entries.filter(isEarly)), countForms(entries.filter((entry) => !isEarly(entry)))];
}

const commonest = (counts: Readonly<Counts>): string | undefined =>
  Object.entries(counts).sort((a, b) => b[1] - a[1])[0]?.[0];

export const countForms = (entries: Many<LedgerRow>): Counts => countBy(entries, formOf);

export const countStatuses = (entries: Many<LedgerRow>): Counts => countBy(entries, ({ status }) => `${status}`);

function countBy(entries: Many<LedgerRow>, name: (entry: LedgerRow) => string): Counts {
  const counts: Counts = {};
  entries.forEach((entry) => {
    const one = name(entry);
    counts[one] = (counts[one] ?? 0) + 1;
  });
  return counts;
}
