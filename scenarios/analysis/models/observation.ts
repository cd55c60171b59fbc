/**
 * What a rate probe saw, in the form in which models are compared with it: one row for each request of the budget, in
 * the order of arrival, as far as that is known.
 */
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { column, sortedColumn } from '../column.ts';
import { keep } from '../keep.ts';
import type { Classify } from '../outcome.ts';
import { mostAtOnce } from '../windows.ts';
import type { Model } from './limiters.ts';

/** Requests that are compared as a sum (bursts: their order is not known) or one by one (polls and paces). */
export const parts = ['first', 'recovery', 'pace', 'again', 'echo', 'return'] as const;
export type Part = (typeof parts)[number];

const PART_OF: Readonly<Record<string, Part>> = {
  burst: 'first',
  over: 'first',
  sibling: 'first',
  recovery: 'recovery',
  pace: 'pace',
  again: 'again',
  echo: 'echo',
  return: 'return',
};

export interface Observation {
  /** Taken to be half-way between sending and first byte, ms. */
  readonly atMs: Float64Array;
  readonly admitted: Uint8Array;
  /** Places in `parts`: a name for each of a million would be as much as all else here. */
  readonly partAt: Uint8Array;
  /**
   * How far off the moments may be from one another, ms: half of what a request usually took beyond the quickest one, and
   * a little for the target's clock. What all of them took alike is the way there and back, and moves them together.
   */
  readonly slackMs: number;
  /** Most that a request took beyond the quickest one, ms: its moment is known no closer. */
  readonly longestMs: number;
  /** Between two polls, as far as one would follow the last of them, ms. */
  readonly pollMs: number;
  /** Whether so few polls are admitted that the moment of each one tells something. */
  readonly few: boolean;
  /** Whose order is not known: most of the pace that were on their way at once, and polls that took long. */
  readonly blurred: { readonly pace: number; readonly polls: number };
}

/** What a target's clock may add to the uncertainty of a moment. */
export const CLOCK_MS = 5;
const SLOW_POLL_MS = 100;
const POLLS: readonly string[] = ['recovery', 'return'];

/** null when some request was neither admitted nor refused: a model can't tell what it did to the limiter. */
export function observe(
  entries: readonly LedgerRow[],
  classify: Classify,
  { pollMs, few }: Pick<Observation, 'pollMs' | 'few'>,
): Observation | null {
  const own = keep(entries, ({ phase }) => PART_OF[phase] !== undefined);
  if (own.some((entry) => classify(entry) === 'neither')) return null;
  const moments = column(own, ({ sentMs, firstByteMs }) => (sentMs + firstByteMs) / 2);
  const order = orderOf(moments);
  const took = sortedColumn(own, tookMs);
  const pace = keep(own, ({ phase }) => phase === 'pace');
  const leastMs = took[0] ?? 0;
  const beyondMs = (ms: number | undefined): number => (ms ?? leastMs) - leastMs;
  const [atMs, admitted] = [new Float64Array(own.length), new Uint8Array(own.length)];
  const partAt = new Uint8Array(own.length);
  order.forEach((from, to) => {
    const entry = own[from];
    if (!entry) return;
    atMs[to] = moments[from] ?? 0;
    admitted[to] = classify(entry) === 'admitted' ? 1 : 0;
    partAt[to] = parts.indexOf(PART_OF[entry.phase] ?? 'pace');
  });
  return {
    atMs,
    admitted,
    partAt,
    pollMs,
    few,
    slackMs: CLOCK_MS + beyondMs(took[Math.floor(took.length / 2)]) / 2,
    longestMs: beyondMs(took.at(-1)),
    blurred: {
      pace: mostAtOnce(
        pace,
        ({ sentMs }) => sentMs + leastMs / 2,
        ({ firstByteMs }) => firstByteMs - leastMs / 2,
      ),
      polls: own.filter((entry) => POLLS.includes(entry.phase) && beyondMs(tookMs(entry)) > SLOW_POLL_MS).length,
    },
  };
}

const tookMs = ({ sentMs, firstByteMs }: LedgerRow): number => firstByteMs - sentMs;

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

/**
 * By part: how much a model's answers differ from those seen; admissions of a burst, single answers of polls and paces,
 * and of `return`, which ends with the first that is admitted, by how many polls it would have ended sooner or later. Of
 * few polls that are admitted, by how many polls in all they would have come sooner or later. `again` and `echo` end with
 * what is refused, so what a model would have admitted beyond counts as well.
 */
export type Deviation = Readonly<Record<Part, number>>;

const [RECOVERY, PACE, RETURN] = [parts.indexOf('recovery'), parts.indexOf('pace'), parts.indexOf('return')];
const UNTIL_REFUSED = [parts.indexOf('again'), parts.indexOf('echo')];

/** Plays the model over everything that was sent. A fit asks this some ten thousand times, so it works on numbers alone. */
export function deviation(observation: Observation, make: () => Model): Deviation {
  const { atMs, admitted, partAt, pollMs, few } = observation;
  const model = make();
  const differing = new Float64Array(parts.length);
  const lastOf = new Int32Array(parts.length).fill(-1);
  const lastDiffers = new Int8Array(parts.length);
  let [owed, early, late] = [0, 0, 0];
  for (let index = 0; index < atMs.length; index += 1) {
    const expected = model(atMs[index] ?? 0) ? 1 : 0;
    const where = partAt[index] ?? PACE;
    const difference = expected - (admitted[index] ?? 0);
    lastOf[where] = index;
    lastDiffers[where] = difference;
    if (where === RETURN) {
      if (early > 0 || difference > 0) early += 1;
      else if (difference < 0) {
        const alike = index + 1 === atMs.length ? model : playedTo(index + 1, observation, make());
        late = 1 + pollsUntil(alike, atMs[index] ?? 0, pollMs);
      }
    } else if (where === RECOVERY && few) {
      owed += difference;
      differing[RECOVERY] = (differing[RECOVERY] ?? 0) + Math.abs(owed);
    } else if (difference !== 0) {
      const isSingle = where === RECOVERY || where === PACE;
      differing[where] = (differing[where] ?? 0) + (isSingle ? 1 : difference);
    }
  }
  for (const where of UNTIL_REFUSED) {
    const last = lastOf[where] ?? -1;
    if ((lastDiffers[where] ?? 0) <= 0) continue;
    const further = beyond(playedTo(last + 1, observation, make()), atMs[last] ?? 0);
    differing[where] = (differing[where] ?? 0) + further;
  }
  const [first = 0, recovery = 0, pace = 0, again = 0, echo = 0] = differing;
  const sums = { first: Math.abs(first), again: Math.abs(again), echo: Math.abs(echo) };
  return { ...sums, recovery, pace, return: late + Math.max(0, early - 1) };
}

function playedTo(end: number, { atMs }: Observation, model: Model): Model {
  for (let index = 0; index < end; index += 1) model(atMs[index] ?? 0);
  return model;
}

const BEYOND_MOST = 50;

/** How many more the model would admit at that moment. */
function beyond(model: Model, atMs: number): number {
  let more = 0;
  while (more < BEYOND_MOST && model(atMs)) more += 1;
  return more;
}

const POLLS_MOST = 50;

/** How many more polls the model would refuse. */
function pollsUntil(model: Model, atMs: number, pollMs: number): number {
  let polls = 0;
  while (polls < POLLS_MOST && !model(atMs + (polls + 1) * pollMs)) polls += 1;
  return polls;
}
