/** Ledger of a concurrency probe -> facts. */
import type { ConcurrencyFacts, ElsewhereCounts, HoldCounts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { operations } from '../../../schemas/operations.ts';
import { leastOf } from '../../analysis/column.ts';
import { generatorHealth } from '../../analysis/health.ts';
import { type Classify, classifier, countStatuses } from '../../analysis/outcome.ts';
import { inFlightPicture } from '../../analysis/pictures.ts';
import { mostOverlapping } from '../../analysis/windows.ts';
import { answeredMs } from '../../answered.ts';
import { CONTROL_PHASE, CONTROL_REQUESTS, TIMING_PHASE } from '../../execute/control.ts';
import type { ConcurrencyParameters } from '../../probe.ts';

const WAVES = ['within', 'beyond', 'further'];
/** For a slot that becomes free, perhaps a little late: as often as it takes. */
const TRIES = ['after-free', 'after-abort'];
const PHASES = [...WAVES, ...TRIES, 'refill'];
/** From the first address like the others, but no part of what is counted. */
const BESIDES = [CONTROL_PHASE, TIMING_PHASE, 'scout', 'trial', 'still-full', 'full'];

export function analyseConcurrency(
  parameters: ConcurrencyParameters,
  ledger: Ledger,
  planned: number,
): ConcurrencyFacts {
  const { operations: ids, limitId, instId, limit, withoutInput } = parameters;
  const entries = ledger.entries.filter((entry) => PHASES.includes(entry.phase));
  const technique = entries.some((entry) => fateOf(entry) === 'whole') ? 'whole' : parameters.technique;
  const besides = ledger.entries.filter((entry) => BESIDES.includes(entry.phase));
  const of = (phase: string) => ledger.entries.filter((entry) => entry.phase === phase);
  const classify = holdClassifier(entries);
  const wave = (phase: string) => holdCounts(of(phase), classify);
  const refusals = entries.filter((entry) => classify(entry) === 'refused');
  // What is refused after a slot was freed is a question of its own: whether it was.
  const early = refusals.filter((entry) => isInTime(entry) && WAVES.includes(entry.phase));
  const counted = refusals.filter(({ phase }) => !TRIES.includes(phase));
  const refusesWhole = early.some((entry) => fateOf(entry) === 'alone');
  // A request of another kind that takes a slot may be why another one got none.
  const takesSlot = takesSlotOf(ids);
  const slotTakers = [...entries, ...besides.filter(takesSlot)];
  const notRefused = slotTakers.filter((entry) => classify(entry) !== 'refused');
  const atRefusal = mayOverlap(notRefused, early);
  const scouted = of('scout').find((entry) => fateOf(entry) === 'early' && classify(entry) !== 'refused');
  const elsewhere = elsewhereCounts(parameters, of, classify);
  // Requests that we dropped are no fault of the target; those of the first wave were planned all the same.
  const awaited = ledger.entries.filter((entry) => !besides.includes(entry) && !isDropped(entry));
  const health = generatorHealth({ ...ledger, rows: awaited }, planned);
  return {
    kind: 'concurrency',
    limitId,
    instId,
    limit,
    operations: ids,
    technique,
    ...(withoutInput === undefined ? {} : { withoutInput }),
    within: wave('within'),
    beyond: wave('beyond'),
    ...(of('further').length > 0 ? { further: wave('further') } : {}),
    opened: [...WAVES, 'trial'].flatMap(of).length,
    ...slotFacts(parameters, of, sameRefusal(classify, early)),
    ...refillFacts(entries, of(CONTROL_PHASE), classify),
    ...(refusesWhole ? { refusesWhole } : {}),
    ...(scouted ? { getAnsweredAtOnce: scouted.status } : {}),
    ...(elsewhere ? { elsewhere } : {}),
    ...(technique === 'held-body' ? { releasedTogether: releasedTogether(entries, classify) } : {}),
    ...overlaps(entries, classify),
    ...sideBySide(entries, of(CONTROL_PHASE), classify),
    ...(servesBehind(WAVES.flatMap(of), of(TIMING_PHASE), refusals) ? { servesBehind: true } : {}),
    arrivedTogether:
      (arrivedTogether(entries, { controls: of(CONTROL_PHASE), polls: of(TIMING_PHASE) }, classify) &&
        (technique !== 'long-poll' || early.length > 0 || tookAllIn(entries, of(CONTROL_PHASE), classify))) ||
      refusedInOrder(of('further'), of(TIMING_PHASE), classify),
    refusedWithinLimit: mayOverlap(slotTakers, early).filter((inFlight) => inFlight <= limit).length,
    fewestAtRefusal: atRefusal.length > 0 ? atRefusal.reduce((least, one) => Math.min(least, one)) : null,
    ...besidesRefused(
      besides.filter((entry) => !takesSlot(entry)),
      refusals,
    ),
    ...controlsServed(parameters, { entries, early, controls: of(CONTROL_PHASE) }, classify),
    refusals: { statuses: countStatuses(counted), withRetryAfter: counted.filter(hasRetryAfter).length },
    statuses: countStatuses(entries.filter((entry) => !isDropped(entry))),
    health: { ...health, sent: health.sent + of('within').filter(isDropped).length },
    picture: inFlightPicture(entries, classify, limit),
  };
}

/**
 * Most that were served at once. Inner: between their sending and their response. Outer: all that can have been in
 * flight, also those whose response shows nothing, until the end of their responses.
 */
function overlaps(entries: readonly LedgerRow[], classify: Classify) {
  const proven = entries.filter((entry) => classify(entry) === 'admitted' || isDropped(entry));
  const possible = entries.filter((entry) => classify(entry) !== 'refused');
  return {
    overlapInner: mostOverlapping(proven.map((entry) => ({ from: entry.sentMs, to: answeredMs(entry, false) }))),
    overlapOuter: mostOverlapping(possible.map(({ sentMs, endMs }) => ({ from: sentMs, to: endMs }))),
  };
}

/** A target that lets requests wait for a slot answers those after twice the time of the others. */
const SIDE_BY_SIDE_TIMES = 1.5;

/** Whole requests that had a slot each. The way there and back, which a control request takes too, is no part of the time. */
function sideBySide(
  entries: readonly LedgerRow[],
  controls: readonly LedgerRow[],
  classify: Classify,
): Pick<ConcurrencyFacts, 'sideBySide'> {
  const whole = entries.filter((one) => fateOf(one) === 'whole' && classify(one) === 'admitted');
  if (whole.length === 0) return {};
  const took = (all: readonly LedgerRow[]) =>
    all.reduce((least, { sentMs, firstByteMs }) => Math.min(least, firstByteMs - sentMs), Number.POSITIVE_INFINITY);
  const firstSentMs = whole.reduce((first, { sentMs }) => Math.min(first, sentMs), Number.POSITIVE_INFINITY);
  const wayMs = took(controls.filter(({ status }) => status !== 0));
  // The way once, and the rest so many times.
  const untilMs = firstSentMs + SIDE_BY_SIDE_TIMES * took(whole) - (SIDE_BY_SIDE_TIMES - 1) * wayMs;
  return { sideBySide: whole.filter(({ firstByteMs }) => firstByteMs < untilMs).length };
}

/** Bodies that were completed at the same moment, and how many of them were refused then. */
function releasedTogether(entries: readonly LedgerRow[], classify: Classify) {
  const together = entries.filter((entry) => fateOf(entry) === 'released' && entry.status !== 0);
  return { count: together.length, refused: together.filter((entry) => classify(entry) === 'refused').length };
}

/** A gateway that refuses for all refuses these too. */
function besidesRefused(
  besides: readonly LedgerRow[],
  refusals: readonly LedgerRow[],
): Pick<ConcurrencyFacts, 'besides'> {
  const refused = new Set(refusals.map(({ status }) => status));
  const same = besides.filter(({ phase }) => [CONTROL_PHASE, TIMING_PHASE].includes(phase));
  const counts = countStatuses(same.filter(({ status }) => refused.has(status)));
  return Object.keys(counts).length > 0 ? { besides: counts } : {};
}

/** Whether something else was answered as ever when all of them were over. */
function servesBehind(entries: readonly LedgerRow[], polls: readonly LedgerRow[], refusals: readonly LedgerRow[]) {
  const overMs = entries.reduce((latest, { endMs }) => Math.max(latest, endMs), Number.NEGATIVE_INFINITY);
  const refused = new Set([0, ...refusals.map(({ status }) => status)]);
  return polls.some(({ sentMs, status }) => sentMs >= overMs && !refused.has(status));
}

interface Waves {
  readonly entries: readonly LedgerRow[];
  /** Refused while the others were held. */
  readonly early: readonly LedgerRow[];
  readonly controls: readonly LedgerRow[];
}

/**
 * Control requests that count towards the same limit, sent while it was full: after the first refusal and before any of
 * the held ones was answered, of which there were as many as it allows.
 */
function controlsServed(
  { operations: ids, limit }: ConcurrencyParameters,
  { entries, early, controls }: Waves,
  classify: Classify,
): Pick<ConcurrencyFacts, 'controls'> {
  const fullFromMs = early.reduce((least, { firstByteMs }) => Math.min(least, firstByteMs), Number.POSITIVE_INFINITY);
  const held = entries.filter((one) => classify(one) !== 'refused' && one.sentMs < fullFromMs);
  const inFlightWith = (one: LedgerRow) => held.filter((other) => answeredMs(other, false) > one.firstByteMs).length;
  const takesSlot = takesSlotOf(ids);
  const requested = controls.filter(
    (one) => takesSlot(one) && one.status !== 0 && one.sentMs > fullFromMs && inFlightWith(one) >= limit,
  );
  const [first] = requested;
  if (!first) return {};
  const served = requested.filter(({ status }) => status >= 200 && status < 300).length;
  return { controls: { operation: first.operation, sent: requested.length, served } };
}

/**
 * What became of the slots that were freed, and whether those that took them were there while they seemed to be, and the
 * others still waited. Of several tries the last one counts. Whole requests take all slots: where those after an abort get
 * each, answers have freed theirs as well.
 */
function slotFacts(
  { technique }: ConcurrencyParameters,
  of: (phase: string) => readonly LedgerRow[],
  classify: Classify,
): Pick<ConcurrencyFacts, 'afterFree' | 'afterAbort' | 'slotTakers'> {
  const isWhole = (one: LedgerRow): boolean => fateOf(one) === 'whole';
  const lastTry = (all: readonly LedgerRow[]) => (all.some(isWhole) ? all : all.slice(-1));
  const abort = lastTry(of('after-abort'));
  const takesAll = abort.length > 0 && abort.every((one) => isWhole(one) && classify(one) === 'admitted');
  const apart = lastTry(of('after-free'));
  const free = apart.length === 0 && takesAll ? abort : apart;
  const ended = (how: string) => (technique === 'long-poll' ? of('within').filter((one) => fateOf(one) === how) : []);
  const aborted = [...of('aborted'), ...ended('dropped')];
  const untilMs = leastOf(ended('released'), (one) => answeredMs(one, false));
  const wasThere = (takers: readonly LedgerRow[]) =>
    takers.some(
      (one) =>
        (['alone', 'whole'].includes(fateOf(one)) && one.firstByteMs <= untilMs) ||
        controlsWhile(one, of(CONTROL_PHASE)) >= CONTROL_REQUESTS,
    );
  if (free.length === 0 && abort.length === 0) return {};
  const tries = [...apart, ...aborted, ...abort].reduce((sum, one) => sum + triesOf(one), 0);
  return {
    ...(free.length > 0 ? { afterFree: holdCounts(free, classify) } : {}),
    ...(abort.length > 0 ? { afterAbort: holdCounts(abort, classify) } : {}),
    slotTakers: { afterFree: wasThere(free), aborted: wasThere(aborted), afterAbort: wasThere(abort), tries },
  };
}

/** Control requests that were sent and answered while this one waited. */
const controlsWhile = (one: LedgerRow, controls: readonly LedgerRow[]): number =>
  controls.filter((it) => it.status !== 0 && it.sentMs > one.sentMs && it.firstByteMs < answeredMs(one, false)).length;

/**
 * Slots that were requested at the same moment, and all that were taken when control requests showed that all had
 * arrived.
 */
function refillFacts(
  entries: readonly LedgerRow[],
  controls: readonly LedgerRow[],
  classify: Classify,
): Pick<ConcurrencyFacts, 'refill'> {
  const requested = entries.filter(({ phase }) => phase === 'refill');
  const lastSentMs = requested.reduce((latest, { sentMs }) => Math.max(latest, sentMs), Number.NEGATIVE_INFINITY);
  const behind = controls.filter(({ status, sentMs }) => status !== 0 && sentMs > lastSentMs);
  const last = behind[CONTROL_REQUESTS - 1];
  if (requested.length === 0 || !last) return {};
  const taken = entries.filter(
    (one) => classify(one) === 'admitted' && one.sentMs < last.sentMs && answeredMs(one, false) > last.firstByteMs,
  );
  return { refill: { requested: requested.length, taken: taken.length } };
}

/** A slot that is still taken is refused like those beyond the limit; any other response shows nothing about it. */
function sameRefusal(classify: Classify, refusals: readonly LedgerRow[]): Classify {
  const known = new Set(refusals.map(({ status }) => status));
  return (entry) => {
    const outcome = classify(entry);
    return outcome === 'refused' && !known.has(entry.status) ? 'neither' : outcome;
  };
}

/**
 * Controls were sent after the last of the waves that was not refused, and answered before the first of them. Where a
 * poll before that got no answer, requests may wait somewhere and be overtaken. A refusal has arrived.
 */
function arrivedTogether(
  entries: readonly LedgerRow[],
  { controls, polls }: Readonly<Record<'controls' | 'polls', readonly LedgerRow[]>>,
  classify: Classify,
): boolean {
  const waves = entries.filter((entry) => WAVES.includes(entry.phase) && classify(entry) !== 'refused');
  const lastSentMs = waves.reduce((latest, { sentMs }) => Math.max(latest, sentMs), Number.NEGATIVE_INFINITY);
  const firstAnsweredMs = waves.reduce(
    (soonest, entry) => Math.min(soonest, answeredMs(entry, false)),
    Number.POSITIVE_INFINITY,
  );
  const between = controls.filter(
    ({ status, sentMs, firstByteMs }) => status !== 0 && sentMs > lastSentMs && firstByteMs < firstAnsweredMs,
  );
  const mayWait = polls.some(({ status, sentMs }) => status === 0 && sentMs < firstAnsweredMs);
  return between.length >= CONTROL_REQUESTS && !mayWait;
}

/**
 * A service that is kept busy by those that wait may answer a control request before it has counted all that came
 * earlier. It had the time where answering the first wave took no longer than that wave had had to arrive. Jobs of
 * runsync end one after the other, and are all there where health counts as many.
 */
function tookAllIn(entries: readonly LedgerRow[], controls: readonly LedgerRow[], classify: Classify): boolean {
  const sent = entries.filter(({ phase }) => WAVES.includes(phase));
  if (controls.some(({ note }) => Number(note) >= sent.length)) return true;
  const first = sent.filter((one) => one.phase === 'within' && classify(one) === 'admitted');
  const answered = first.map((one) => answeredMs(one, false)).sort((a, b) => a - b);
  const tookMs = (answered.at(-1) ?? 0) - (answered[0] ?? 0);
  const lastSentMs = first.reduce((latest, { sentMs }) => Math.max(latest, sentMs), Number.NEGATIVE_INFINITY);
  return controls.some(({ status, firstByteMs }) => status !== 0 && firstByteMs - lastSentMs >= tookMs);
}

/**
 * Of those that were sent whole in one moment the first were admitted and all later ones refused, before any of the first
 * was answered. No slot was given back by then, or a later one would have got it: so all of the first were there. Answers
 * may overtake each other, but hardly by as long as one is on its way.
 */
function refusedInOrder(entries: readonly LedgerRow[], polls: readonly LedgerRow[], classify: Classify): boolean {
  const sent = entries.filter((one) => fateOf(one) === 'whole').sort((a, b) => a.sentMs - b.sentMs);
  const count = sent.filter((one) => classify(one) === 'admitted').length;
  const [first, later] = [sent.slice(0, count), sent.slice(count)];
  const answered = polls.filter(({ status }) => status !== 0);
  const wayMs = leastOf(answered, ({ sentMs, firstByteMs }) => firstByteMs - sentMs) / 2;
  const untilMs = leastOf(first, (one) => one.firstByteMs) - wayMs;
  const isInOrder = later.every((one) => classify(one) === 'refused' && one.firstByteMs < untilMs);
  return isInOrder && first.length > 0 && later.length > 0;
}

/** Null of an operation that no limit counts, and of one that is none of ours. */
const budgetOf = (id: string | undefined) => operations.find((one) => one.id === id)?.budget ?? null;

/** Whether a request counts against the limit of these operations, as far as that is documented. */
const takesSlotOf =
  (ids: readonly string[]) =>
  ({ operation }: LedgerRow): boolean =>
    ids.includes(operation) || (budgetOf(operation) !== null && budgetOf(operation) === budgetOf(ids[0]));

/**
 * For each of `requested`, how many of `all` can have been in flight while it was: the waves are sent in order, but on
 * a busy machine they may arrive out of it, so only the times show what was in flight when one was refused.
 */
function mayOverlap(all: readonly LedgerRow[], requested: readonly LedgerRow[]): number[] {
  return requested.map(
    (one) => all.filter((other) => other.sentMs <= one.firstByteMs && other.endMs >= one.sentMs).length,
  );
}

/** Held requests have no "first tenth": what most of them answered in the end is what the operation normally says. */
function holdClassifier(entries: readonly LedgerRow[]): Classify {
  const answered = entries.filter((entry) => entry.phase === 'within' && entry.status !== 0);
  const commonest = Object.entries(countStatuses(answered)).sort((a, b) => b[1] - a[1])[0]?.[0];
  return classifier(answered.filter((entry) => String(entry.status) === commonest));
}

/** First word of the note: `early`, `alone`, `whole`, `freed`, `released` or `dropped`; a Retry-After value may follow. */
const fateOf = (entry: LedgerRow): string => entry.note.split(' ')[0] ?? '';
/** By us: nothing was awaited any more. */
const isDropped = (entry: LedgerRow): boolean => fateOf(entry) === 'dropped';
/** Answered while the others were held. */
const isInTime = (entry: LedgerRow): boolean => ['early', 'alone', 'whole'].includes(fateOf(entry));
const hasRetryAfter = (entry: LedgerRow): boolean => / retry-after=/.test(entry.note);

/** How many tries a request was the last of. */
const triesOf = (entry: LedgerRow): number => Number(/ attempts=(\d+)/.exec(entry.note)?.[1] ?? 1);

function holdCounts(entries: readonly LedgerRow[], classify: Classify): HoldCounts {
  const count = (outcome: string, which: (entry: LedgerRow) => boolean) =>
    entries.filter((entry) => classify(entry) === outcome && which(entry)).length;
  const isEarly = (entry: LedgerRow): boolean => fateOf(entry) === 'early';
  const dropped = entries.filter(isDropped).length;
  return {
    opened: entries.length,
    held: count('admitted', (entry) => !isEarly(entry)) + dropped,
    refusedEarly: count('refused', isInTime),
    refusedLate: count('refused', (entry) => !isInTime(entry)),
    answeredEarly: count('admitted', isEarly),
    lost: entries.filter((entry) => classify(entry) === 'neither').length - dropped,
  };
}

/** What became of the requests from the other address; undefined where there is none. */
function elsewhereCounts(
  { otherAddress }: ConcurrencyParameters,
  of: (phase: string) => readonly LedgerRow[],
  classify: Classify,
): ElsewhereCounts | undefined {
  if (otherAddress === undefined) return undefined;
  const all = [...of('elsewhere-alone'), ...of('elsewhere')];
  return {
    address: otherAddress,
    alone: holdCounts(of('elsewhere-alone'), classify),
    meanwhile: holdCounts(of('elsewhere'), classify),
    stillFull: holdCounts(of('still-full'), classify),
    statuses: countStatuses(all),
    error: all.find(({ error }) => error !== '')?.error ?? '',
  };
}
