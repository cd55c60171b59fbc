/**
 * Fixed windows: N requests in each, all of it back at once. Their boundaries lie at a phase of the clock
 * (envoyproxy/ratelimit, django-ratelimit, resilience4j, bucket4j's interval refill), or a window begins with the first
 * request after the last one ended (express-rate-limit, @fastify/rate-limit, rate-limiter-flexible, ulule/limiter).
 * Whether refused requests count makes no difference: a window that refuses one is full.
 */
import { hullOf } from '../../../../../schemas/intervals.ts';
import type { Bounds } from '../../../../../schemas/rate-facts.ts';
import { firstWhere } from '../../../../analysis/windows.ts';
import type { Answer, Answers } from '../answers.ts';
import { between, type Kind, type Numbers, type Range } from '../kind.ts';

export const clockWindows: Kind = {
  algorithm: 'fixed-window',
  name: 'fixed window',
  has: ['phase'],
  enforces: true,
  mayHave(answers, at, { originMs }) {
    const boundary = boundariesOf(at, originMs, answers.grainMs);
    const windows: Window[] = [];
    for (
      let index = firstIndex(answers, at.windowMs, originMs);
      windows.length < MOST_WINDOWS && boundary(index).from <= answers.lastMs;
      index += 1
    ) {
      windows.push({ opens: boundary(index), ends: boundary(index + 1) });
    }
    return valuesIn(answers, windows);
  },
};

/** Of a window that is over before anything was sent. */
export const firstIndex = ({ rows }: Answers, windowMs: Range, originMs: number): number =>
  Math.floor(((rows[0]?.sentMs ?? 0) - originMs) / windowMs.from) - 2;

/** When the window of this index begins; the one of index 0 does so behind the origin. */
export const boundariesOf =
  ({ windowMs, phase }: Numbers, originMs: number, grainMs: number) =>
  (index: number): Range => ({
    from: originMs + (index + phase.from) * (index < 0 ? windowMs.to : windowMs.from) - grainMs,
    to: originMs + (index + phase.to) * (index < 0 ? windowMs.from : windowMs.to) + grainMs,
  });

export const windowsFromFirst: Kind = {
  algorithm: 'fixed-window',
  name: 'fixed window that begins with a request',
  has: [],
  enforces: true,
  mayHave(answers, { windowMs }) {
    // Where a burst came just when a window ended, that may have been before or behind it: both are followed.
    const follow = (before: readonly Window[], opens: Range): Bounds | null => {
      const begins = before.length < MOST_WINDOWS ? firstAfter(answers, opens, before.length < MOST_PARTED) : [];
      if (begins.length === 0) return valuesIn(answers, before);
      const left = begins.flatMap((begin) => {
        const ends = {
          from: begin.from + windowMs.from - answers.grainMs,
          to: begin.to + windowMs.to + answers.grainMs,
        };
        return follow([...before, { opens, ends }], ends) ?? [];
      });
      return left.length === 0 ? null : hullOf(left);
    };
    return follow([], { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY });
  },
};

/** From when on a request belongs to it, at the end of the one before, and until when. */
interface Window {
  readonly opens: Range;
  readonly ends: Range;
}

/** More than a probe lasts; later ones are ignored. */
const MOST_WINDOWS = 1000;
/** Behind so many windows the two possible beginnings of one are taken together. */
const MOST_PARTED = 12;

/**
 * When the first request can have arrived after such an end: one of those that came near it, or the first that surely
 * came later. The two are one range where they are hardly apart.
 */
function firstAfter({ rows }: Answers, end: Range, parted: boolean): Range[] {
  const near = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  const later = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  for (let index = firstSentFrom(rows, end.from - LONGEST_MS); index < rows.length; index += 1) {
    const { sentMs, answeredMs, outcome } = rows[index] as Answer;
    if (sentMs > later.to) break;
    if (answeredMs < end.from) continue;
    if (sentMs < end.to || outcome === 'neither') {
      near.from = Math.min(near.from, Math.max(sentMs, end.from));
      near.to = Math.max(near.to, Math.min(answeredMs, end.to));
    } else {
      later.from = Math.min(later.from, sentMs);
      later.to = Math.min(later.to, answeredMs);
    }
  }
  const found = [near, later].filter(({ from, to }) => from <= to && Number.isFinite(to));
  const isOne = found.length === 2 && (!parted || later.from - near.to <= end.to - end.from);
  return isOne ? [{ from: near.from, to: later.to }] : found;
}

/** No answer takes longer than a sender waits. */
const LONGEST_MS = 60_000;

/** Index of the first that was sent then or later. */
export const firstSentFrom = (rows: readonly Answer[], ms: number): number =>
  firstWhere(rows, ({ sentMs }) => sentMs >= ms);

/** The values with which these windows may have answered so. */
function valuesIn(answers: Answers, windows: readonly Window[]) {
  const [sure, possible, firsts] = [answers.surely('admitted'), answers.possibly('admitted'), answers.firstRefusals()];
  let [lower, upper, fullMs] = [1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [index, { opens, ends }] of windows.entries()) {
    // What came near to their boundary belongs to one of two windows.
    const both = sure.surelyBetween((windows[index - 1]?.opens ?? opens).to, ends.from);
    lower = Math.max(lower, Math.ceil(both / 2));
    // What was admitted when the window before was full belongs to this one, however near to their boundary it came.
    lower = Math.max(lower, sure.surelyBetween(Math.min(opens.to, fullMs), ends.from));
    // A refusal that may belong to the next window comes after others of this one, which show more.
    const first = firsts[firstWhere(firsts, ({ sentMs }) => sentMs >= opens.to)];
    fullMs = first && first.answeredMs <= ends.from ? first.answeredMs : Number.POSITIVE_INFINITY;
    if (first && first.sentMs < ends.to)
      upper = Math.min(upper, possible.possiblyBetween(opens.from, first.answeredMs));
    if (upper < lower) return null;
  }
  return between(lower, upper);
}
