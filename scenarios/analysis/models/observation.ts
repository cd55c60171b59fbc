/**
 * What a rate probe saw, in the form in which models are compared with it: one row for each request of the budget, in
 * the order of arrival, as far as that is known.
 */
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { column, sortedColumn } from '../column.ts';
import { keep } from '../keep.ts';
import type { Classify } from '../outcome.ts';
import { mostAtOnce } from '../windows.ts';
import type { Model } from './limiters.ts';

/** Requests that are compared as a sum (bursts: their order is not known) or one by one (polls and paces). */
export const parts = ['first', 'recovery', 'pace', 'again', 'echo'] as const;
export type Part = (typeof parts)[number];

const PART_OF: Readonly<Record<string, Part>> = {
  burst: 'first',
  over: 'first',
  sibling: 'first',
  recovery: 'recovery',
  pace: 'pace',
  again: 'again',
  echo: 'echo',
};

export interface Observation {
  /** Taken to be half-way between sending and first byte, ms. */
  readonly atMs: Float64Array;
  readonly admitted: Uint8Array;
  readonly part: readonly Part[];
  /** How far off the moments may be, ms: half of what a request usually took, and a little for the target's clock. */
  readonly slackMs: number;
  /** Longest that a request took, ms: its moment is known no closer. */
  readonly longestMs: number;
  /** Whose order is not known: most of the pace that were on their way at once, and polls that took long. */
  readonly blurred: { readonly pace: number; readonly polls: number };
}

const CLOCK_MS = 5;
const SLOW_POLL_MS = 100;

/** null when some request was neither admitted nor refused: a model can't tell what it did to the limiter. */
export function observe(entries: readonly LedgerEntry[], classify: Classify): Observation | null {
  const own = keep(entries, ({ phase }) => PART_OF[phase] !== undefined);
  if (own.some((entry) => classify(entry) === 'neither')) return null;
  const moments = column(own, ({ sentMs, firstByteMs }) => (sentMs + firstByteMs) / 2);
  const order = orderOf(moments);
  const took = sortedColumn(own, tookMs);
  const pace = keep(own, ({ phase }) => phase === 'pace');
  const [atMs, admitted] = [new Float64Array(own.length), new Uint8Array(own.length)];
  const part = new Array<Part>(own.length);
  order.forEach((from, to) => {
    const entry = own[from];
    if (!entry) return;
    atMs[to] = moments[from] ?? 0;
    admitted[to] = classify(entry) === 'admitted' ? 1 : 0;
    part[to] = PART_OF[entry.phase] ?? 'pace';
  });
  return {
    atMs,
    admitted,
    part,
    slackMs: CLOCK_MS + (took[Math.floor(took.length / 2)] ?? 0) / 2,
    longestMs: took.at(-1) ?? 0,
    blurred: {
      pace: mostAtOnce(
        pace,
        ({ sentMs }) => sentMs,
        ({ firstByteMs }) => firstByteMs,
      ),
      polls: own.filter((entry) => entry.phase === 'recovery' && tookMs(entry) > SLOW_POLL_MS).length,
    },
  };
}

const tookMs = ({ sentMs, firstByteMs }: LedgerEntry): number => firstByteMs - sentMs;

/** Finer than any clock tells. */
const PER_MS = 1000;

/**
 * Indices of these moments in the order of time. Moment and index are packed into one number each, as numbers are sorted
 * ten times faster than by a function that compares.
 */
export function orderOf(moments: Float64Array): Uint32Array {
  const earliest = moments.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const keys = moments.map((ms, index) => Math.round((ms - earliest) * PER_MS) * moments.length + index).sort();
  const isExact = (keys.at(-1) ?? 0) < Number.MAX_SAFE_INTEGER;
  return isExact
    ? new Uint32Array(keys.map((key) => key % moments.length))
    : Uint32Array.from(moments, (_, index) => index).sort((a, b) => (moments[a] ?? 0) - (moments[b] ?? 0));
}

/** By part: how much a model's answers differ from those seen; admissions of a burst, single answers of the rest. */
export type Deviation = Readonly<Record<Part, number>>;

/** Plays the model over everything that was sent. */
export function deviation({ atMs, admitted, part }: Observation, model: Model): Deviation {
  const differing = { first: 0, recovery: 0, pace: 0, again: 0, echo: 0 };
  for (let index = 0; index < atMs.length; index += 1) {
    const expected = model(atMs[index] ?? 0) ? 1 : 0;
    const where = part[index] ?? 'pace';
    const difference = expected - (admitted[index] ?? 0);
    differing[where] += where === 'recovery' || where === 'pace' ? Math.abs(difference) : difference;
  }
  for (const name of ['first', 'again', 'echo'] as const) differing[name] = Math.abs(differing[name]);
  return differing;
}
