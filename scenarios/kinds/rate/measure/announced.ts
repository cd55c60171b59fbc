/** What refusals and fields announce, held against what was answered later: from requests that are sent anyway. */
import { type Item, type List, parseDictionary, parseList } from 'structured-headers';
import type { Announcements, Obeyed, RateSurvivor } from '../../../../schemas/rate-facts.ts';
import { column, sortedColumn } from '../../../analysis/column.ts';
import { countBelow } from '../../../analysis/windows.ts';
import { limitFieldsIn } from '../../../limit-fields.ts';

// What a response announces of a rate limit, in any dialect of its fields: Retry-After (RFC 9110 10.2.3); RateLimit and
// RateLimit-Policy as items (draft-ietf-httpapi-ratelimit-headers 8 and later) or as one dictionary (7);
// RateLimit-Limit, -Remaining and -Reset (6 and before); X-RateLimit-*, whose reset is in seconds, or a moment in one
// of three forms.

interface Announced {
  /** Names of the fields, in lower case. */
  readonly fields: readonly string[];
  /** How long to wait from the answer on, ms. */
  readonly retryAfterMs?: number | undefined;
  readonly resetMs?: number | undefined;
  /** The least that is left of any quota, requests. */
  readonly left?: number | undefined;
  readonly policies: readonly Policy[];
}

interface Policy {
  /** Requests. */
  readonly quota: number;
  readonly windowMs?: number | undefined;
}

/** @param answeredAtMs on the wall clock here, for moments that come without a date of the target */
export function announcedIn(note: string, answeredAtMs: number): Announced {
  const limitFields = limitFieldsIn(note);
  const nowMs = momentOf(limitFields.date) ?? answeredAtMs;
  const legacy = (what: string) => limitFields[`x-ratelimit-${what}`] ?? limitFields[`x-rate-limit-${what}`];
  const [limit, window] = [
    limitFields['ratelimit-limit'] ?? legacy('limit'),
    limitFields['ratelimit-window'] ?? legacy('window'),
  ];
  const current = currentOf(limitFields.ratelimit);
  const reset = waitMs(limitFields['ratelimit-reset'] ?? legacy('reset'), nowMs);
  return {
    fields: Object.keys(limitFields).filter((name) => name !== 'date' && name !== 'body'),
    retryAfterMs: waitMs(limitFields['retry-after'], nowMs),
    resetMs: current.resetMs ?? reset,
    left: current.left ?? numberIn(limitFields['ratelimit-remaining'] ?? legacy('remaining')),
    policies: [
      ...policiesOf(limitFields['ratelimit-policy']),
      ...current.policies,
      ...policiesOf(limit, numberIn(window)),
    ],
  };
}

const SECOND_MS = 1000;
/** More seconds than anyone has to wait are a moment since 1970, in seconds or in milliseconds. */
const LEAST_MOMENT_S = 1e8;
const LEAST_MOMENT_MS = 1e11;

/**
 * Seconds, or a moment. Undefined where it is neither, as of one that is absent. A moment and the target's date are cut to
 * whole seconds, so it is taken for the end of its second.
 */
function waitMs(text: string | undefined, nowMs: number): number | undefined {
  const number = numberIn(text);
  if (number !== undefined && number < LEAST_MOMENT_S) return number * SECOND_MS;
  const atMs = number === undefined ? momentOf(text) : number * (number < LEAST_MOMENT_MS ? SECOND_MS : 1);
  return atMs === undefined ? undefined : Math.max(0, atMs + SECOND_MS - nowMs);
}

function momentOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** Of several windows behind one field the first is meant. */
function numberIn(text: string | undefined): number | undefined {
  const [first = ''] = (text ?? '').split(/[,;]/);
  return /^\s*\d+(\.\d+)?\s*$/.test(first) ? Number(first) : undefined;
}

/** The RateLimit field: a list of items with `r` and `t`, or a dictionary. */
function currentOf(text: string | undefined): Pick<Announced, 'left' | 'resetMs' | 'policies'> {
  const items = listIn(text);
  if (items.length > 0) {
    const [left, resets] = [items.flatMap(parameter('r')), items.flatMap(parameter('t'))];
    return { left: least(left), resetMs: times(Math.max(...resets), SECOND_MS), policies: [] };
  }
  const of = dictionaryIn(text);
  const quota = of('limit');
  return {
    left: of('remaining'),
    resetMs: times(of('reset'), SECOND_MS),
    policies: quota === undefined ? [] : [{ quota }],
  };
}

/** `"name";q=100;w=10`, `100;w=10`, or `100, 100;w=10`; @param windowS from a field of its own */
function policiesOf(text: string | undefined, windowS?: number): Policy[] {
  return listIn(text).flatMap((item) => {
    const [quota] = typeof item[0] === 'number' ? [item[0]] : parameter('q')(item);
    const [window = windowS] = parameter('w')(item);
    return quota === undefined ? [] : [{ quota, windowMs: times(window, SECOND_MS) }];
  });
}

const least = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : Math.min(...numbers);

const times = (value: number | undefined, factor: number): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : value * factor;

const parameter =
  (name: string) =>
  (item: List[number]): number[] => {
    const value = item[1].get(name);
    return typeof value === 'number' ? [value] : [];
  };

/** Empty where it can't be read as one: another meaning of such a field shows nothing. */
function listIn(text: string | undefined): List {
  try {
    return parseList(text ?? '');
  } catch {
    return [];
  }
}

function dictionaryIn(text: string | undefined): (name: string) => number | undefined {
  try {
    const all = parseDictionary(text ?? '');
    return (name) => {
      const [value] = (all.get(name) ?? []) as Partial<Item>;
      return typeof value === 'number' ? value : undefined;
    };
  } catch {
    return () => undefined;
  }
}

interface Row {
  readonly sentMs: number;
  readonly firstByteMs: number;
  readonly note: string;
}

/** A request sent so shortly after the announced time may come before it by the target's clock, ms. */
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
  // Requests that became free during it may be reported already.
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

/** Checks the first request that was sent when a refusal had announced that it may be. */
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
  // Where refused requests count, a client that went on sending did not obey.
  const mayAsk = survivors.length > 0 && survivors.every(({ counts }) => counts !== 'all');
  const noneBetween = (from: R, to: R, at: number): boolean => {
    const admitted = countBelow(admittedSent, to.firstByteMs) - countBelow(admittedAnswered, from.sentMs);
    return admitted <= 0 && (mayAsk || countBelow(sent, from.sentMs) === at - 1);
  };
  return (refusals: readonly { readonly row: R; readonly waitMs: number | undefined }[]): Obeyed => {
    let [announced, letIn, refused] = [0, 0, 0];
    let first: Obeyed['first'];
    for (const { row, waitMs } of refusals) {
      if (waitMs === undefined) continue;
      announced += 1;
      const at = countBelow(sent, row.firstByteMs + waitMs + GRAIN_MS);
      const next = all[at];
      if (!next || outcomeOf(next) === 'neither') continue;
      if (outcomeOf(next) === 'admitted') letIn += 1;
      else if (noneBetween(row, next, at)) {
        refused += 1;
        first ??= { waitMs, atMs: row.firstByteMs, afterMs: next.sentMs - row.firstByteMs };
      }
    }
    return { announced, letIn, refused, ...(first ? { first } : {}) };
  };
}
