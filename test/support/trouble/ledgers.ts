/**
 * Rate probes that run into trouble, played in no time: what the target does to a request, what the network does to its
 * answer, what the clock and the scheduler of the machine do to the sender, and what becomes of the ledger in the end.
 * Each is what the real trouble would leave behind, so that verdicts can be tried on thousands of them.
 */
import fc from 'fast-check';
import { latestMs } from '../../../scenarios/k6/lib/schedule.ts';
import type { RateParameters } from '../../../scenarios/probe.ts';
import { type Limiter, simulateRate } from '../../../scenarios/testing/rate-simulation.ts';
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry } from '../../../schemas/ledger.ts';
import { encodeLost } from '../../../schemas/ledger-machine.ts';
import { plainEntry } from '../../../schemas/ledger-rows.ts';

/** `atMs` is the moment on the probe's own clock at which the trouble begins; shares are of all requests, 0 to 1. */
export type Trouble =
  | { readonly kind: 'none' }
  /** Connections that break in the answer: the target has counted what the sender never sees answered. */
  | { readonly kind: 'cut'; readonly share: number; readonly seed: number }
  /** The target answers 503 for a while, before it counts anything. */
  | { readonly kind: 'unavailable'; readonly atMs: number; readonly forMs: number }
  /** The target is gone for a moment and has forgotten what it counted. */
  | { readonly kind: 'restart'; readonly atMs: number; readonly forMs: number }
  /** From some moment on nothing is answered. */
  | { readonly kind: 'hang'; readonly atMs: number }
  /** The sender stands still: requests that were due in the meantime are sent all at once when it goes on. */
  | { readonly kind: 'stall'; readonly atMs: number; readonly forMs: number }
  /** The wall clock, which is the sender's only one, is stepped. */
  | { readonly kind: 'step'; readonly atMs: number; readonly byMs: number }
  /** The sender is killed: what was in flight is nowhere. */
  | { readonly kind: 'killed'; readonly atMs: number }
  /** The disk is full for a while. */
  | { readonly kind: 'full'; readonly from: number; readonly lines: number }
  /** Lines that another writer tore. */
  | { readonly kind: 'torn'; readonly share: number; readonly seed: number };

export const troubles = (untilMs: number): fc.Arbitrary<Trouble> => {
  const atMs = fc.integer({ min: 0, max: Math.ceil(untilMs) });
  const forMs = fc.integer({ min: 1, max: Math.ceil(untilMs / 3) });
  const seed = fc.integer({ min: 1, max: 1e9 });
  const share = fc.constantFrom(0.002, 0.01, 0.05, 0.3);
  const byMs = fc.constantFrom(-5000, -900, -300, 60, 200, 900, 5000);
  return fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), share, seed }),
    fc.record({ kind: fc.constant('unavailable' as const), atMs, forMs }),
    // A target that goes takes its connections with it, so some request always meets it gone.
    fc.record({ kind: fc.constant('restart' as const), atMs, forMs: fc.integer({ min: 200, max: 3000 }) }),
    fc.record({ kind: fc.constant('hang' as const), atMs }),
    fc.record({ kind: fc.constant('stall' as const), atMs, forMs }),
    fc.record({ kind: fc.constant('step' as const), atMs, byMs }),
    fc.record({ kind: fc.constant('killed' as const), atMs }),
    fc.record({ kind: fc.constant('full' as const), from: fc.nat(3000), lines: fc.integer({ min: 1, max: 500 }) }),
    fc.record({ kind: fc.constant('torn' as const), share, seed }),
  );
};

interface Play {
  readonly parameters: RateParameters;
  /** A new one for each start of the target. */
  readonly limiter: () => Limiter;
  readonly trouble: Trouble;
  readonly beginsAtMs?: number;
  readonly roundTripMs?: number;
}

/** The ledger that such a probe leaves. */
export function playRate({ parameters, limiter, trouble, beginsAtMs = 0, roundTripMs = 2 }: Play): string {
  const target = troubledTarget(limiter, trouble, beginsAtMs, parameters);
  const ledger = simulateRate(parameters, target, { beginsAtMs, roundTripMs });
  return damaged(ledger, trouble, parameters);
}

/** The limiter as trouble lets it see the requests: at other moments, or not at all. */
function troubledTarget(
  limiter: () => Limiter,
  trouble: Trouble,
  beginsAtMs: number,
  parameters: RateParameters,
): Limiter {
  let own = limiter();
  let restarted = false;
  return (atMs) => {
    const ms = atMs - beginsAtMs;
    switch (trouble.kind) {
      case 'unavailable':
        return within(ms, trouble) ? false : own(atMs);
      case 'hang':
        return ms >= trouble.atMs ? false : own(atMs);
      case 'restart':
        if (within(ms, trouble)) return false;
        if (ms >= trouble.atMs && !restarted) {
          own = limiter();
          restarted = true;
        }
        return own(atMs);
      case 'stall':
        if (!within(ms, trouble)) return own(atMs);
        if (isLeftOut(ms, trouble, parameters)) return true;
        return own(beginsAtMs + trouble.atMs + trouble.forMs);
      case 'step':
        return own(beginsAtMs + reallyAt(ms, trouble));
      default:
        return own(atMs);
    }
  };
}

/** Whether something due at `ms` is never sent: a slot of the pace, or a poll, that is too late by then. */
function isLeftOut(ms: number, { atMs, forMs }: Span, { polls, paces, limit, windowMs }: RateParameters): boolean {
  const lateMs = atMs + forMs - ms;
  const holds = ({ fromMs, untilMs }: RateParameters['paces'][number]): boolean => ms >= fromMs && ms < untilMs;
  const span = polls.spans.find(holds);
  if (span) return lateMs > span.periodMs;
  const pace = paces.find(holds);
  return pace !== undefined && lateMs > latestMs(pace, limit, windowMs);
}

interface Span {
  readonly atMs: number;
  readonly forMs: number;
}

const within = (ms: number, { atMs, forMs }: Span): boolean => ms >= atMs && ms < atMs + forMs;

/** When something really happens that is due at `ms` on a clock that is stepped; never earlier than what came before. */
function reallyAt(ms: number, { atMs, byMs }: { readonly atMs: number; readonly byMs: number }): number {
  return ms < atMs ? ms : Math.max(atMs, ms - byMs);
}

function damaged(ledger: string, trouble: Trouble, parameters: RateParameters): string {
  const { entries: rows, marks } = decodeLedger(ledger);
  const entries = rows.map(plainEntry);
  const [start, end] = marks;
  const endMs = end?.monotonicMs ?? 0;
  const text = (changed: readonly LedgerEntry[], stepMs = 0, extra: readonly string[] = [], complete = true) =>
    [
      start ? encodeMark(start) : '',
      ...changed.map(encodeEntry),
      ...extra,
      complete && end ? encodeMark({ ...end, monotonicMs: endMs - stepMs }) : '',
      '',
    ].join('\n');
  switch (trouble.kind) {
    case 'none':
      return ledger;
    case 'cut': {
      const unlucky = chance(trouble);
      return text(entries.map((one) => (unlucky() ? { ...one, status: 0, error: '1220 reset', note: '' } : one)));
    }
    case 'unavailable':
      return text(entries.map((one) => (within(one.sentMs + 1, trouble) ? { ...one, status: 503, note: '' } : one)));
    case 'restart':
      return text(
        entries.map((one) =>
          within(one.sentMs + 1, trouble) ? { ...one, status: 0, error: '1212 connection refused', note: '' } : one,
        ),
      );
    case 'hang':
      return text(entries.map((one) => (one.sentMs + 1 < trouble.atMs ? one : silent(one))));
    case 'stall':
      return text(
        entries.flatMap((one): LedgerEntry[] => {
          if (!within(one.sentMs + 1, trouble)) return [one];
          const resumedMs = trouble.atMs + trouble.forMs;
          if (isLeftOut(one.sentMs + 1, trouble, parameters)) return [];
          // What was on its way when the sender stood still is seen to be answered only when it goes on.
          const sentMs = one.sentMs < trouble.atMs ? one.sentMs : resumedMs - 1;
          return [{ ...one, sentMs, firstByteMs: resumedMs + 2, endMs: resumedMs + 2 }];
        }),
      );
    case 'step': {
      const moved = entries.map((one) => (one.sentMs + 1 < trouble.atMs ? one : onClock(one, trouble)));
      return text(moved, trouble.byMs);
    }
    case 'killed': {
      const seen = entries.filter((one) => one.endMs < trouble.atMs);
      return text(seen, 0, [], trouble.atMs >= endMs);
    }
    case 'full': {
      const kept = entries.filter((_, index) => index < trouble.from || index >= trouble.from + trouble.lines);
      const lines = entries.length - kept.length;
      return text(kept, 0, lines > 0 ? [encodeLost({ lines, why: 'no space left on device' })] : []);
    }
    case 'torn': {
      const unlucky = chance(trouble);
      const [kept, torn] = [entries.filter(() => !unlucky()), '["pace","run",12'];
      return text(kept, 0, kept.length < entries.length ? [torn] : []);
    }
  }
}

const silent = (one: LedgerEntry): LedgerEntry => {
  const endMs = one.sentMs + 30_000;
  return { ...one, firstByteMs: endMs, endMs, status: 0, error: 'timeout', note: '' };
};

/** What was overdue when the clock was set forward is sent right then, and the clock shows its new time. */
function onClock(one: LedgerEntry, { atMs, byMs }: { readonly atMs: number; readonly byMs: number }): LedgerEntry {
  const lateMs = Math.max(0, atMs + byMs - one.sentMs);
  return {
    ...one,
    sentMs: one.sentMs + lateMs,
    firstByteMs: one.firstByteMs + lateMs,
    endMs: one.endMs + lateMs,
  };
}

/** Whether the next request is one of the unlucky ones; the same ones for the same seed. */
function chance({ share, seed }: { readonly share: number; readonly seed: number }): () => boolean {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 < share;
  };
}
