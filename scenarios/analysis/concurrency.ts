/** Ledger of a concurrency probe -> facts (design part 5, concurrency). */
import type { ConcurrencyFacts, HoldCounts } from '../../schemas/facts.ts';
import { decodeLedger, type LedgerEntry } from '../../schemas/ledger.ts';
import { operations } from '../../schemas/operations.ts';
import { CONTROL_PHASE, CONTROL_REQUESTS } from '../execute/control.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { generatorHealth } from './health.ts';
import { type Classify, classifier, countStatuses } from './outcome.ts';
import { inFlightPicture } from './pictures.ts';
import { mostOverlapping } from './windows.ts';

const WAVES = ['within', 'beyond'];
const PHASES = [...WAVES, 'after-free', 'after-abort'];

export function analyseConcurrency(parameters: ConcurrencyParameters, text: string, planned: number): ConcurrencyFacts {
  const ledger = decodeLedger(text);
  const entries = ledger.entries.filter((entry) => PHASES.includes(entry.phase));
  const controls = ledger.entries.filter((entry) => entry.phase === CONTROL_PHASE);
  const classify = holdClassifier(entries);
  const wave = (phase: string) =>
    holdCounts(
      entries.filter((entry) => entry.phase === phase),
      classify,
    );
  const tried = (phase: string) => entries.some((entry) => entry.phase === phase);
  const refusals = entries.filter((entry) => classify(entry) === 'refused');
  const proven = entries.filter((entry) => classify(entry) === 'admitted');
  // What is refused after a slot was freed is a question of its own: whether it was.
  const early = refusals.filter((entry) => isEarly(entry) && WAVES.includes(entry.phase));
  // A control request that takes a slot is none that was asked about, but it may be why another got none.
  const slotTakers = [...entries, ...controls.filter(takesSlot)];
  const notRefused = slotTakers.filter((entry) => classify(entry) !== 'refused');
  const atRefusal = mayOverlap(notRefused, early);
  return {
    kind: 'concurrency',
    limitId: parameters.limitId,
    instId: parameters.instId,
    limit: parameters.limit,
    operations: parameters.operations,
    technique: parameters.technique,
    within: wave('within'),
    beyond: wave('beyond'),
    ...(tried('after-free') ? { afterFree: wave('after-free') } : {}),
    ...(tried('after-abort') ? { afterAbort: wave('after-abort') } : {}),
    overlapInner: mostOverlapping(proven.map((entry) => ({ from: entry.sentMs, to: entry.firstByteMs }))),
    arrivedTogether: arrivedTogether(entries, controls, classify),
    refusedWithinLimit: mayOverlap(slotTakers, early).filter((inFlight) => inFlight <= parameters.limit).length,
    fewestAtRefusal: atRefusal.length > 0 ? Math.min(...atRefusal) : null,
    refusals: { statuses: countStatuses(refusals), withRetryAfter: refusals.filter(hasRetryAfter).length },
    statuses: countStatuses(entries),
    health: generatorHealth({ ...ledger, entries: ledger.entries.filter((one) => !controls.includes(one)) }, planned),
    picture: inFlightPicture(entries, classify, parameters.limit),
  };
}

/** Sent after the last of the waves, and answered before the first of them that was not refused. */
function arrivedTogether(
  entries: readonly LedgerEntry[],
  controls: readonly LedgerEntry[],
  classify: Classify,
): boolean {
  const waves = entries.filter(({ phase }) => WAVES.includes(phase));
  const lastSentMs = Math.max(...waves.map(({ sentMs }) => sentMs));
  const answered = waves.filter((entry) => classify(entry) !== 'refused');
  const firstAnsweredMs = Math.min(...answered.map(({ firstByteMs }) => firstByteMs));
  const between = controls.filter(
    ({ status, sentMs, firstByteMs }) => status !== 0 && sentMs > lastSentMs && firstByteMs < firstAnsweredMs,
  );
  return between.length >= CONTROL_REQUESTS;
}

const takesSlot = (entry: LedgerEntry): boolean =>
  operations.some(({ id, budget }) => id === entry.operation && budget !== null);

/**
 * For each of `asked`, how many of `all` can have been in flight while it was: the waves are sent in order, but on a
 * busy machine they may arrive out of it, so only the times tell what was there when something was refused.
 */
function mayOverlap(all: readonly LedgerEntry[], asked: readonly LedgerEntry[]): number[] {
  return asked.map((one) => all.filter((other) => other.sentMs <= one.firstByteMs && other.endMs >= one.sentMs).length);
}

/** Held requests have no "first tenth": what most of them answered in the end is what the operation normally says. */
function holdClassifier(entries: readonly LedgerEntry[]): Classify {
  const answered = entries.filter((entry) => entry.phase === 'within' && entry.status !== 0);
  const commonest = Object.entries(countStatuses(answered)).sort((a, b) => b[1] - a[1])[0]?.[0];
  return classifier(answered.filter((entry) => String(entry.status) === commonest));
}

/** The note is `early` or `released`, with a Retry-After value behind a blank where the answer carried one. */
const isEarly = (entry: LedgerEntry): boolean => entry.note.split(' ')[0] === 'early';
const hasRetryAfter = (entry: LedgerEntry): boolean => / retry-after=/.test(entry.note);

function holdCounts(entries: readonly LedgerEntry[], classify: Classify): HoldCounts {
  const count = (outcome: string, early: boolean) =>
    entries.filter((entry) => classify(entry) === outcome && isEarly(entry) === early).length;
  return {
    opened: entries.length,
    held: count('admitted', false),
    refusedEarly: count('refused', true),
    refusedLate: count('refused', false),
    answeredEarly: count('admitted', true),
    lost: entries.filter((entry) => classify(entry) === 'neither').length,
  };
}
