/** Ledger of a rate probe -> facts: what a client within the limit was refused, and what may be behind the limit. */
import type { RateFacts, RatePart, UnlimitedFacts } from '../../../../schemas/facts.ts';
import { type Ledger, zeroOf } from '../../../../schemas/ledger.ts';
import type { LedgerRow, Many } from '../../../../schemas/ledger-rows.ts';
import { awaitsJobs, isSubmitting, type OperationId } from '../../../../schemas/operations.ts';
import { column, leastOf } from '../../../analysis/column.ts';
import { generatorHealth } from '../../../analysis/health.ts';
import { type Classify, classifier, countForms, formOf } from '../../../analysis/outcome.ts';
import { arrivalsPicture } from '../../../analysis/pictures.ts';
import {
  fullestEitherWay,
  fullestWindow,
  mostAtOnce,
  mostSurelyWithin,
  worstCaseCounts,
} from '../../../analysis/windows.ts';
import { SENT_TWICE } from '../../../k6/lib/sent-twice.ts';
import type { RateParameters, UnlimitedParameters } from '../../../probe.ts';
import { toldIn } from '../../../told.ts';
import { announcementsOf } from './announced.ts';
import type { Answer } from './answers.ts';
import { CLOCK_GRAIN_MS, eliminate } from './eliminate.ts';

/**
 * Every job that was accepted before the first refusal, or, where health told the queue's length before, that and every
 * one accepted since. Where it answers when its job is done, only those in flight count.
 * @param rows the whole ledger
 */
function outstandingOuter(
  operation: OperationId,
  budget: Readonly<Record<'admitted' | 'refused' | 'within', Many<LedgerRow>>>,
  rows: Many<LedgerRow>,
): RateFacts['outstandingOuter'] {
  if (!isSubmitting(operation)) return { atRefusal: 0, atRefusalWithin: 0 };
  const looks = rows
    .filter((entry) => entry.phase === 'watch' && /^\d+$/.test(entry.note))
    .map((entry) => ({ entry, queued: Number(entry.note) }))
    .sort((a, b) => b.entry.firstByteMs - a.entry.firstByteMs);
  const atFirstOf = (refusals: Many<LedgerRow>) => {
    if (refusals.length === 0) return 0;
    const atMs = leastOf(refusals, ({ firstByteMs }) => firstByteMs);
    const before = budget.admitted.filter((entry) => entry.sentMs <= atMs);
    if (awaitsJobs(operation)) return before.filter((entry) => entry.firstByteMs >= atMs).length;
    const look = looks.find(({ entry }) => entry.firstByteMs <= atMs);
    if (!look) return before.length;
    return Math.min(before.length, look.queued + before.filter((one) => one.firstByteMs >= look.entry.sentMs).length);
  };
  return { atRefusal: atFirstOf(budget.refused), atRefusalWithin: atFirstOf(budget.within) };
}

const sentMsOf = ({ sentMs }: LedgerRow): number => sentMs;

/** Sent by a client that never has more than the limit in any window. */
const WITHIN: readonly string[] = ['burst', 'again', 'pace'];
const BEYOND: readonly string[] = ['over', 'echo', 'poll', 'sibling'];

/**
 * @param planned requests that the probe sends when nothing is refused early, at least
 */
export function analyseRate(parameters: RateParameters, ledger: Ledger, planned: number): RateFacts {
  const { operation, siblings, limit, windowMs, limitId, instId } = parameters;
  const zeroMs = zeroOf(ledger) ?? Number.NaN;
  const operations: readonly string[] = [operation, ...siblings];
  const all = ledger.rows.filter(({ operation: one }) => operations.includes(one));
  const phase = (name: string) => all.filter((entry) => entry.phase === name);
  const beyond = all.filter(({ phase: name }) => BEYOND.includes(name));
  const sent = all.filter(({ phase: name }) => WITHIN.includes(name));
  const classify = classifier(phase('burst'), beyond, sent);
  const part = (name: string) => ratePart(phase(name), classify);
  const refusals = all.filter((entry) => classify(entry) === 'refused');
  const within = refusedWithin(all, refusals, limit, windowMs);
  const admitted = all.filter((entry) => classify(entry) === 'admitted');
  const last = all.filter((_, index) => index >= all.length - MOST_ROWS);
  const end = last.map((entry) => entry).sort((a, b) => a.sentMs - b.sentMs);
  const errorMs = Math.max(0, ...(ledger.runners ?? []).map((one) => one.errorMs));
  const left = survivorsOf(parameters, end, end.length === all.length, classify, leastWayMs(end, errorMs));
  return {
    kind: 'rate',
    limitId,
    instId,
    limit,
    windowMs,
    burst: part('burst'),
    again: part('again'),
    pace: part('pace'),
    over: part('over'),
    echo: part('echo'),
    polls: part('poll'),
    within: {
      refused: within.length,
      ...(within[0] ? { first: within[0].told } : {}),
      unclear: refusals.filter(({ phase: name }) => WITHIN.includes(name)).length - within.length,
      fullest: fullestEitherWay(sent, windowMs),
    },
    mostAdmitted: mostSurelyWithin(admitted, windowMs - CLOCK_GRAIN_MS),
    ...left,
    unanswered: all.filter((entry) => entry.status === 0 && classify(entry) === 'neither' && !isRepeat(entry)).length,
    siblings: siblings.map((id) => siblingCounts(phase('sibling'), id, classify)),
    refusals: {
      statuses: countForms(refusals),
      withRetryAfter: refusals.filter(({ note }) => 'retry-after' in toldIn(note)).length,
    },
    announced: announcementsOf(end, classify, left.survivors, { limit, windowMs, zeroMs }),
    served: {
      fromMs: column(admitted, ({ sentMs }) => zeroMs + sentMs),
      toMs: column(admitted, ({ firstByteMs }) => zeroMs + firstByteMs),
    },
    inFlightOuter: mostAtOnce(all, sentMsOf, ({ endMs }) => endMs),
    outstandingOuter: outstandingOuter(
      operation,
      { admitted, refused: refusals, within: within.map(({ entry }) => entry) },
      ledger.rows,
    ),
    health: generatorHealth(ledger, planned),
    picture: arrivalsPicture(all, classify, { value: limit, windowMs }),
  };
}

/** Ledger of the load on an operation without a limit -> facts. */
export function analyseUnlimited(parameters: UnlimitedParameters, ledger: Ledger, planned: number): UnlimitedFacts {
  const entries = ledger.rows.filter(({ operation }) => operation === parameters.operation);
  return {
    kind: 'unlimited',
    instId: parameters.instId,
    operation: parameters.operation,
    part: ratePart(entries, classifier(entries)),
    fullestWindow: fullestWindow(column(entries, sentMsOf), parameters.windowMs),
    health: generatorHealth(ledger, planned),
  };
}

/** A request that the target may have seen besides: it counts in a window, but has no answer of its own. */
const isRepeat = ({ error }: LedgerRow): boolean => error === SENT_TWICE;

/** In one go: there may be a million of them. */
function ratePart(entries: Many<LedgerRow>, classify: Classify): RatePart {
  const counts = { admitted: 0, refused: 0, neither: 0 };
  const statuses: Record<string, number> = {};
  const wrong: Record<string, number> = {};
  let [fromMs, toMs] = [Number.POSITIVE_INFINITY, 0];
  entries.forEach((entry) => {
    if (isRepeat(entry)) return;
    counts[classify(entry)] += 1;
    statuses[entry.status] = (statuses[entry.status] ?? 0) + 1;
    const fault = entry.note === '' ? undefined : toldIn(entry.note).wrong;
    if (fault !== undefined) wrong[fault] = (wrong[fault] ?? 0) + 1;
    fromMs = Math.min(fromMs, entry.sentMs);
    toMs = Math.max(toMs, entry.firstByteMs);
  });
  const { admitted, refused, neither } = counts;
  const sent = admitted + refused + neither;
  return { sent, admitted, refused, statuses, wrong, fromMs: sent > 0 ? fromMs : 0, toMs };
}

/** Refusals of the client within the limit at which no window can have held more than the limit, whatever the way took. */
function refusedWithin(all: Many<LedgerRow>, refused: Many<LedgerRow>, limit: number, windowMs: number) {
  const own = refused.filter(({ phase }) => WITHIN.includes(phase));
  const counts = own.length > 0 ? worstCaseCounts(all, own, windowMs + CLOCK_GRAIN_MS) : [];
  return own
    .map((entry, index) => ({ entry, inWindow: counts[index] ?? Number.POSITIVE_INFINITY }))
    .filter(({ inWindow }) => inWindow <= limit)
    .sort((a, b) => a.entry.sentMs - b.entry.sentMs)
    .map(({ entry, inWindow }) => {
      const { phase, sentMs, note } = entry;
      const retryAfter = toldIn(note)['retry-after'] ?? '';
      return { entry, told: { phase, sentMs, inWindow, form: formOf(entry), retryAfter } };
    });
}

/** Nothing was sent for a window before the burst, and for so long besides. */
const IDLE_AT_LEAST_MS = 100;

/** Of a longer ledger its end is looked at, where more is asked for than the limit; what came before may count there. */
const MOST_ROWS = 50_000;

/** @param end in the order of sending; not `whole` where more came before */
function survivorsOf(
  parameters: RateParameters,
  end: readonly LedgerRow[],
  whole: boolean,
  classify: Classify,
  wayMs: number,
) {
  const { operation, siblings, limit, windowMs } = parameters;
  const firstMs = end[0]?.sentMs ?? 0;
  const untilMs = whole ? firstMs - windowMs - IDLE_AT_LEAST_MS : firstMs;
  // In the middle, so that boundaries before and after are known about equally well.
  const originMs = end.find(({ phase }) => phase === 'over')?.sentMs ?? firstMs;
  const answerOf = (entry: LedgerRow): Answer => ({
    sentMs: entry.sentMs,
    answeredMs: Math.max(entry.sentMs, entry.firstByteMs - wayMs),
    outcome: classify(entry),
  });
  const left = (some: readonly LedgerRow[]) =>
    eliminate(some.map(answerOf), { untilMs, limit, windowMs }, { limit, windowMs, originMs });
  const survivors = left(end);
  if (siblings.length === 0 || survivors.length > 0) return { survivors };
  return { survivors, survivorsWithoutSiblings: left(end.filter((entry) => entry.operation === operation)) };
}

/**
 * Every request is under way for so long at least, there and back, ms. How that parts between there and back shifts all
 * arrivals alike, which no limiter minds; so what is not known of an arrival is only what its way took longer. Not all of
 * the quickest one: there may be several ways.
 * @param errorMs of the clocks of several runners, by which their times have been taken apart
 */
function leastWayMs(all: Many<LedgerRow>, errorMs: number): number {
  const quickestMs = leastOf(all, ({ status, sentMs, firstByteMs }) =>
    status === 0 ? Number.POSITIVE_INFINITY : firstByteMs - sentMs,
  );
  return Number.isFinite(quickestMs) ? SURE_SHARE * Math.max(0, quickestMs - 2 * errorMs) : 0;
}

const SURE_SHARE = 0.8;

function siblingCounts(entries: Many<LedgerRow>, operation: OperationId, classify: Classify) {
  const own = entries.filter((entry) => entry.operation === operation && classify(entry) !== 'neither');
  return { operation, sent: own.length, refused: own.filter((entry) => classify(entry) === 'refused').length };
}
