/** Ledger of a rate probe -> facts (design part 5, rate). */
import type { Bounds, RateFacts, RatePart, UnlimitedFacts } from '../../schemas/facts.ts';
import { decodeLedger, type Ledger } from '../../schemas/ledger.ts';
import { type LedgerRow, plainEntry } from '../../schemas/ledger-rows.ts';
import type { OperationId } from '../../schemas/operations.ts';
import { SENT_TWICE } from '../k6/lib/sent-twice.ts';
import { pollPeriodMs, TINY_LIMIT } from '../plan/timeline.ts';
import type { RateParameters, UnlimitedParameters } from '../probe.ts';
import { column, sortedColumn } from './column.ts';
import { areApart, type Burst, boundaryOf, burstOf, excludeBoundaries, isBetween } from './confirmation.ts';
import { exhaustionOf } from './exhaustion.ts';
import { generatorHealth } from './health.ts';
import { countOf, keep } from './keep.ts';
import { bucketRefill, bucketSize, bucketSizeBy, likelyBucketSize, longRefill } from './models/bucket.ts';
import { explain, type Found, leavesOpen } from './models/index.ts';
import { observe } from './models/observation.ts';
import { type Classify, classifier, countStatuses } from './outcome.ts';
import { arrivalsPicture } from './pictures.ts';
import { countsBefore, fullestWindow, mostAtOnce, worstCaseCounts } from './windows.ts';

/** What a part of a probe is counted against. `within` holds every request that spends the same budget. */
interface Budget {
  readonly all: readonly LedgerRow[];
  readonly classify: Classify;
  readonly limit: number;
  readonly windowMs: number;
}

const sentMsOf = ({ sentMs }: LedgerRow): number => sentMs;

/**
 * @param text the ledger
 * @param planned requests that the probe sends when nothing is refused early, at least
 * @param confirmationText ledger of the second burst, where one was needed
 */
export function analyseRate(
  parameters: RateParameters,
  text: string,
  planned: number,
  confirmationText?: string,
): RateFacts {
  const ledger = decodeLedger(text);
  const budget = budgetOf(parameters, ledger.entries);
  const phase = (name: string) => keep(budget.all, (entry) => entry.phase === name);
  const pace = keep(phase('pace'), (entry) => !isRepeat(entry));
  const refusals = budget.all.filter((entry) => budget.classify(entry) === 'refused');
  const confirmation = confirmationText === undefined ? undefined : decodeLedger(confirmationText);
  const { burstClear, ...explanation } = explanationOf(budget);
  const boundary = boundaryOf(ledger, budget.classify);
  const burst = burstOf(ledger, budget.all, budget.classify);
  // A counter gives back little by little, so where nothing came back for a while is no boundary of its windows.
  const mayCount = explanation.couldBe.includes('sliding-counter');
  return {
    kind: 'rate',
    limitId: parameters.limitId,
    instId: parameters.instId,
    limit: parameters.limit,
    windowMs: parameters.windowMs,
    burst: ratePart(phase('burst'), budget),
    over: ratePart(phase('over'), budget),
    recovery: phase('recovery')
      .filter((entry) => budget.classify(entry) !== 'neither')
      .map((entry) => ({ atMs: entry.sentMs, admitted: budget.classify(entry) === 'admitted' }))
      .sort((a, b) => a.atMs - b.atMs),
    ...explanation,
    betweenBoundaries: mayCount ? burstClear : isBetween(boundary, burst, parameters.windowMs),
    ...bucketFacts(explanation, phase, budget),
    refusedWithinLimit: refusedWithin(keep(refusals, isUnloaded(budget)), budget).length,
    pace: {
      ...ratePart(pace, budget),
      periodMs: parameters.pace.periodMs,
      fullestEarly: fullestWindow(column(pace, sentMsOf), parameters.windowMs),
      fullestLate: fullestWindow(
        column(pace, ({ firstByteMs }) => firstByteMs),
        parameters.windowMs,
      ),
      refusedUnexplained: refusedUnexplained(pace, budget),
    },
    again: parameters.again ? ratePart(phase('again'), budget) : null,
    echo: parameters.again ? ratePart(phase('echo'), budget) : null,
    siblings: parameters.siblings.map((operation) => siblingCounts(phase('sibling'), operation, budget.classify)),
    ...(confirmation
      ? {
          confirmation: confirmationParts(parameters, confirmation, { budget, found: explanation }, (second) => ({
            betweenBoundaries: !mayCount && isBetween(boundary, second.at, parameters.windowMs),
            apart: areApart(burst, second.at, parameters.windowMs),
            noBoundary: excludeBoundaries(boundary, asBurst(budget, burst), second, parameters.windowMs),
          })),
        }
      : {}),
    refusals: {
      statuses: countStatuses(refusals),
      withRetryAfter: refusals.filter((entry) => entry.note !== '').length,
    },
    exhaustion: exhaustionOf(ledger, budget.all, budget.classify, refusedWithin(refusals, budget)),
    inFlightOuter: mostAtOnce(budget.all, sentMsOf, ({ endMs }) => endMs),
    outstandingOuter: outstandingOuter(parameters.operation, budget, queueLooks(ledger.entries)),
    health: generatorHealth(ledger, planned),
    picture: arrivalsPicture(budget.all, budget.classify, { value: parameters.limit, windowMs: parameters.windowMs }),
  };
}

/**
 * Sent to be refused, in windows that are nearly full: an algorithm that counts by estimate may be one off there, which
 * is no client's that stays within the limit.
 */
const LOADED: readonly string[] = ['again', 'echo', 'return'];

/** So is whatever goes on filling the limit when the first of the burst have left its window again. */
function isUnloaded({ all, windowMs }: Budget): (entry: LedgerRow) => boolean {
  const fromMs = all.reduce(
    (first, { phase, sentMs }) => (phase === 'burst' ? Math.min(first, sentMs) : first),
    Infinity,
  );
  const isCrawling = ({ phase, firstByteMs }: LedgerRow) => FILLING.includes(phase) && firstByteMs > fromMs + windowMs;
  return (entry) => !LOADED.includes(entry.phase) && !isCrawling(entry);
}

const FILLING: readonly string[] = ['over', 'sibling'];

/** A refill that is known no closer than this share of the limit may as well be another one. */
const REFILL_KNOWN = 0.1;

/** The burst, and the siblings: on a busy machine those are asked while the last of the burst are still on their way. */
const firstTaken = (all: readonly LedgerRow[]): readonly LedgerRow[] =>
  all.filter(({ phase }) => BURST.includes(phase) || phase === 'sibling');

function bucketFacts(
  { couldBe }: Pick<RateFacts, 'couldBe'>,
  phase: (name: string) => readonly LedgerRow[],
  { all, classify, limit, windowMs }: Budget,
): Pick<RateFacts, 'bucket'> {
  if (!couldBe.includes('token-bucket')) return {};
  const first = firstTaken(all);
  const soon = bucketRefill(phase('again'), phase('echo'), all, classify, windowMs);
  const unknown = { lower: 0, upper: 2 * limit };
  const least = bucketSizeBy(soon ?? unknown, first, classify, windowMs).lower;
  const long = longRefill(phase('over'), phase('again'), all, classify, {
    windowMs,
    size: least,
    soon: soon ?? unknown,
  });
  const refill = narrower(soon, long);
  // A bucket is taken to be refilled with its size in each window, unless it was seen to be refilled otherwise.
  const known = refill && refill.upper - refill.lower < REFILL_KNOWN * limit;
  const asDocumented = known && refill.lower <= limit && limit <= refill.upper;
  const exact = asDocumented ? bucketSize(first, classify, windowMs) : undefined;
  // Of another size it need not be refilled with that size.
  const isExact = exact !== undefined && exact.lower <= exact.upper;
  const size = isExact ? exact : bucketSizeBy(refill ?? unknown, first, classify, windowMs);
  const likely = isExact ? { likely: likelyBucketSize(first, classify, windowMs) } : {};
  return { bucket: { size, ...(refill ? { refill } : {}), ...likely } };
}

const narrower = (one: Bounds | undefined, other: Bounds | undefined): Bounds | undefined =>
  one && other ? (one.upper - one.lower < other.upper - other.lower ? one : other) : (one ?? other);

/** Ledger of the load on an operation without a limit -> facts. */
export function analyseUnlimited(parameters: UnlimitedParameters, text: string, planned: number): UnlimitedFacts {
  const ledger = decodeLedger(text);
  const entries = ledger.entries.filter((entry) => entry.operation === parameters.operation);
  const classify = classifier(entries);
  return {
    kind: 'unlimited',
    instId: parameters.instId,
    operation: parameters.operation,
    part: ratePart(entries, { all: entries, classify, limit: Number.POSITIVE_INFINITY, windowMs: parameters.windowMs }),
    fullestWindow: fullestWindow(column(entries, sentMsOf), parameters.windowMs),
    health: generatorHealth(ledger, planned),
  };
}

function budgetOf(parameters: RateParameters, entries: readonly LedgerRow[]): Budget {
  const operations: readonly string[] = [parameters.operation, ...parameters.siblings];
  const all = amongTheBurst(keep(entries, (entry) => operations.includes(entry.operation)));
  const burst = all.filter((entry) => entry.phase === 'burst');
  return { all, classify: classifier(burst), limit: parameters.limit, windowMs: parameters.windowMs };
}

const BURST: readonly string[] = ['burst', 'over'];

/**
 * A sender that was kept from running sends its first polls when it sends the burst: whatever those took of the limit,
 * the burst did not get, so they are part of it.
 */
function amongTheBurst(entries: readonly LedgerRow[]): readonly LedgerRow[] {
  const toMs = entries.reduce(
    (last, { phase, firstByteMs }) => (BURST.includes(phase) ? Math.max(last, firstByteMs) : last),
    0,
  );
  const among = ({ phase, sentMs }: LedgerRow) => phase === 'recovery' && sentMs < toMs;
  return entries.some(among)
    ? entries.map((one) => (among(one) ? { ...plainEntry(one), phase: 'over' } : one))
    : entries;
}

function ratePart(entries: readonly LedgerRow[], budget: Budget): RatePart {
  const refused = entries.filter((entry) => budget.classify(entry) === 'refused');
  return {
    sent: entries.length,
    admitted: countOf(entries, (entry) => budget.classify(entry) === 'admitted'),
    refused: refused.length,
    statuses: countStatuses(entries),
    fromMs: entries.reduce((first, entry) => Math.min(first, entry.sentMs), entries.length ? Infinity : 0),
    toMs: entries.reduce((last, entry) => Math.max(last, entry.firstByteMs), 0),
    refusedWithinLimit: refusedWithin(refused, budget).length,
  };
}

/** One that the target may have seen besides: it counts in a window, but nobody waited for its answer. */
const isRepeat = ({ error }: LedgerRow): boolean => error === SENT_TWICE;

function refusedWithin(refused: readonly LedgerRow[], budget: Budget): LedgerRow[] {
  const counts = worstCaseCounts(budget.all, refused, budget.windowMs);
  return refused.filter((_, index) => (counts[index] ?? Infinity) <= budget.limit);
}

function refusedUnexplained(entries: readonly LedgerRow[], { all, classify, limit, windowMs }: Budget): number {
  const refused = entries.filter((entry) => classify(entry) === 'refused');
  if (refused.length === 0) return 0;
  const counts = [sentMsOf, ({ firstByteMs }: LedgerRow) => firstByteMs].map((momentOf) =>
    countsBefore(sortedColumn(all, momentOf), refused.map(momentOf), windowMs),
  );
  return refused.filter((_, index) => counts.every((one) => (one[index] ?? 0) <= limit)).length;
}

function siblingCounts(entries: readonly LedgerRow[], operation: OperationId, classify: Classify) {
  const own = entries.filter((entry) => entry.operation === operation && classify(entry) !== 'neither');
  const refused = own.filter((entry) => classify(entry) === 'refused').length;
  const toMs = own.reduce((last, entry) => Math.max(last, entry.firstByteMs), 0);
  return { operation, sent: own.length, refused, ...(own.length > 0 ? { toMs } : {}) };
}

const asBurst = ({ all, classify }: Budget, at: Burst['at']): Burst => ({ entries: all, classify, at });

function confirmationParts<P>(
  parameters: RateParameters,
  ledger: Ledger,
  { budget: firstBudget, found }: { readonly budget: Budget; readonly found: Found },
  placed: (burst: Burst) => P,
) {
  const budget = budgetOf(parameters, ledger.entries);
  const part = (name: string) =>
    ratePart(
      budget.all.filter((entry) => entry.phase === name),
      budget,
    );
  const second = explanationOf(budget, found);
  const { couldBe, likeDocumented, fittedWindows } = second;
  const { limit, windowMs } = firstBudget;
  // What was found this time only has to be ruled out for the first time, before steps are believed.
  const before = found.fittedWindows === null && leavesOpen(observationOf(firstBudget), limit, windowMs, second);
  const maybeInSteps = second.maybeInSteps && !before;
  const place = placed(asBurst(budget, burstOf(ledger, budget.all, budget.classify)));
  const thisTime = { couldBe, likeDocumented, fittedWindows, maybeInSteps };
  const likely = found.couldBe.includes('token-bucket')
    ? { likelySize: likelyBucketSize(firstTaken(budget.all), budget.classify, windowMs) }
    : {};
  return { ...likely, burst: part('burst'), over: part('over'), ...place, ...thisTime };
}

function explanationOf(budget: Budget, before?: Found) {
  return explain(observationOf(budget), budget.limit, budget.windowMs, before);
}

function observationOf({ all, classify, limit, windowMs }: Budget) {
  const answered = keep(all, (entry) => !isRepeat(entry));
  const asked = { pollMs: pollPeriodMs(limit, windowMs), few: limit <= TINY_LIMIT };
  return observe(answered, classify, asked);
}

interface QueueLook {
  readonly entry: LedgerRow;
  readonly queued: number;
}

/** What health told of the queue, latest first. */
function queueLooks(entries: readonly LedgerRow[]): QueueLook[] {
  return entries
    .filter((entry) => entry.phase === 'watch' && /^\d+$/.test(entry.note))
    .map((entry) => ({ entry, queued: Number(entry.note) }))
    .sort((a, b) => b.entry.firstByteMs - a.entry.firstByteMs);
}

/**
 * Jobs that may have been waiting when a refusal came: every one accepted before it, or, where health told the queue's
 * length before, that and every one accepted since. `runsync` answers when its job is done, so only those in flight
 * count.
 */
function outstandingOuter(
  operation: OperationId,
  budget: Budget,
  looks: readonly QueueLook[],
): RateFacts['outstandingOuter'] {
  if (operation !== 'run' && operation !== 'runsync') return { atRefusal: 0, atRefusalWithin: 0 };
  const refused = budget.all.filter((entry) => budget.classify(entry) === 'refused');
  const admitted = budget.all.filter((entry) => budget.classify(entry) === 'admitted');
  const atFirstOf = (refusals: readonly LedgerRow[]) => {
    if (refusals.length === 0) return 0;
    const atMs = Math.min(...refusals.map((entry) => entry.firstByteMs));
    const before = admitted.filter((entry) => entry.sentMs <= atMs);
    if (operation === 'runsync') return before.filter((entry) => entry.firstByteMs >= atMs).length;
    const look = looks.find(({ entry }) => entry.firstByteMs <= atMs);
    if (!look) return before.length;
    return Math.min(before.length, look.queued + before.filter((one) => one.firstByteMs >= look.entry.sentMs).length);
  };
  return { atRefusal: atFirstOf(refused), atRefusalWithin: atFirstOf(refusedWithin(refused, budget)) };
}
