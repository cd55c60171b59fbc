/** Ledger of a rate probe -> facts: what a client within the limit was refused, and what may be behind the limit. */
import type { RateFacts } from '../../../../schemas/facts.ts';
import { type Ledger, zeroOf } from '../../../../schemas/ledger.ts';
import type { LedgerRow, Many } from '../../../../schemas/ledger-rows.ts';
import { awaitsJobs, isSubmitting } from '../../../../schemas/operations.ts';
import { column, lastSent, leastOf } from '../../../analysis/column.ts';
import { generatorHealth } from '../../../analysis/health.ts';
import { type Classify, classifier, countForms, formOf } from '../../../analysis/outcome.ts';
import { isRepeat, partOf } from '../../../analysis/part.ts';
import { arrivalsPicture } from '../../../analysis/pictures.ts';
import { fullestEitherWay, mostAtOnce, mostSurelyWithin, worstCaseCounts } from '../../../analysis/windows.ts';
import { limitFieldsIn } from '../../../limit-fields.ts';
import type { RateParameters } from '../../../probe.ts';
import { announcementsOf } from './announced.ts';
import type { Answer } from './answers.ts';
import { CLOCK_GRAIN_MS, eliminate, exceedsRoom } from './eliminate.ts';

/**
 * Jobs that may have been waiting at a refusal: what health had as the queue's length, and every job accepted since; where
 * health has none, every job that was accepted before. Where the operation responds when its job is done, those in flight.
 * @param rows the whole ledger
 */
function outstandingAt({ operation, withoutInput }: RateParameters, admitted: Many<LedgerRow>, rows: Many<LedgerRow>) {
  const looks = rows
    .filter((entry) => entry.phase === 'watch' && /^\d+$/.test(entry.note))
    .map((entry) => ({ entry, queued: Number(entry.note) }))
    .sort((a, b) => a.entry.firstByteMs - b.entry.firstByteMs);
  const at = (atMs: number): number => {
    const before = admitted.filter((entry) => entry.sentMs <= atMs);
    if (awaitsJobs(operation)) return before.filter((entry) => entry.firstByteMs >= atMs).length;
    const look = looks.findLast(({ entry }) => entry.firstByteMs <= atMs);
    if (!look) return before.length;
    return look.queued + before.filter((one) => one.firstByteMs >= look.entry.sentMs).length;
  };
  const makesJobs = isSubmitting(operation) && withoutInput === undefined;
  const of = (refusals: Many<LedgerRow>) => (makesJobs ? refusals : refusals.filter(() => false));
  return {
    /** At the first of them. */
    first: (refusals: Many<LedgerRow>): number => {
      const own = of(refusals);
      return own.length > 0 ? at(leastOf(own, ({ firstByteMs }) => firstByteMs)) : 0;
    },
    /** At the first, and at any, as far as health shows the queue. It is longest just before the next look. */
    seen: (refusals: Many<LedgerRow>) => {
      const counts = looks.flatMap(({ entry: { firstByteMs: fromMs } }, index) => {
        const untilMs = looks[index + 1]?.entry.firstByteMs ?? Number.POSITIVE_INFINITY;
        const own = of(refusals).filter((one) => one.firstByteMs >= fromMs && one.firstByteMs < untilMs);
        const [first, last] = [leastOf(own, (one) => one.firstByteMs), -leastOf(own, (one) => -one.firstByteMs)];
        return own.length > 0 ? [[at(first), at(last)]] : [];
      });
      return { atFirst: counts[0]?.[0] ?? 0, atAny: Math.max(0, ...counts.flat()) };
    },
  };
}

/** Sent by a client that never has more than the limit in any window. */
const WITHIN: readonly string[] = ['burst', 'second-burst', 'pace'];
const BEYOND: readonly string[] = ['overflow', 'refill', 'poll', 'sibling'];

/**
 * @param planned requests that the probe sends when nothing is refused early, at least
 */
export function analyseRate(parameters: RateParameters, ledger: Ledger, planned: number): RateFacts {
  const { operation, siblings, limit, windowMs, limitId, instId, absent, withoutInput } = parameters;
  const zeroMs = zeroOf(ledger) ?? Number.NaN;
  const operations: readonly string[] = [operation, ...siblings];
  const all = ledger.rows.filter(({ operation: one }) => operations.includes(one));
  const phase = (name: string) => all.filter((entry) => entry.phase === name);
  const beyond = all.filter(({ phase: name }) => BEYOND.includes(name));
  const sent = all.filter(({ phase: name }) => WITHIN.includes(name));
  const classify = classifier(phase('burst'), beyond, sent);
  const part = (name: string) => partOf(phase(name), classify);
  const those = (outcome: Answer['outcome']) => all.filter((entry) => classify(entry) === outcome);
  const [admitted, refusals] = [those('admitted'), those('refused')];
  const within = refusedWithin(all, refusals, limit, windowMs);
  const admittedFrom = leastOf(
    sent.filter((entry) => classify(entry) === 'admitted'),
    (entry) => entry.sentMs,
  );
  const outstanding = outstandingAt(parameters, admitted, ledger.rows);
  const end = lastSent(all, Math.max(LEAST_ROWS, LIMITS * limit));
  const errorMs = Math.max(0, ...(ledger.runners ?? []).map((one) => one.errorMs));
  const left = survivorsOf(parameters, end, end.length === all.length, classify, leastWayMs(end, errorMs));
  return {
    kind: 'rate',
    limitId,
    instId,
    limit,
    windowMs,
    absent,
    ...(withoutInput === undefined ? {} : { withoutInput }),
    burst: part('burst'),
    secondBurst: part('second-burst'),
    pace: part('pace'),
    overflow: part('overflow'),
    refill: part('refill'),
    polls: part('poll'),
    within: {
      refused: within.length,
      ...(within[0] ? { first: within[0].reported } : {}),
      isAtFirst: Number.isFinite(admittedFrom) && (within.at(-1)?.entry.sentMs ?? Number.NaN) < admittedFrom,
      uncertain: refusals.filter(({ phase: name }) => WITHIN.includes(name)).length - within.length,
      fullest: fullestEitherWay(sent, windowMs),
    },
    mostAdmitted: mostSurelyWithin(admitted, windowMs - CLOCK_GRAIN_MS),
    ...left,
    unanswered: those('neither').filter((entry) => entry.status === 0 && !isRepeat(entry)).length,
    siblings: siblings.map((id) => {
      const own = phase('sibling').filter((entry) => entry.operation === id && classify(entry) !== 'neither');
      const { refused, statuses } = partOf(own, classify);
      return { operation: id, sent: own.length, refused, statuses };
    }),
    refusals: {
      statuses: countForms(refusals),
      withRetryAfter: refusals.filter(({ note }) => 'retry-after' in limitFieldsIn(note)).length,
    },
    announced: announcementsOf(end, classify, left.survivors, { limit, windowMs, zeroMs }),
    served: {
      fromMs: column(admitted, (one) => zeroMs + one.sentMs),
      toMs: column(admitted, (one) => zeroMs + one.firstByteMs),
    },
    inFlightOuter: mostAtOnce(
      all,
      (one) => one.sentMs,
      (one) => one.endMs,
    ),
    outstandingOuter: {
      atRefusalWithin: outstanding.first(within.map(({ entry }) => entry)),
      ...outstanding.seen(refusals),
    },
    health: generatorHealth(ledger, planned),
    picture: arrivalsPicture(all, classify, { value: limit, windowMs }),
  };
}

/**
 * Refusals of the client within the limit at which no window can have held more than the limit, however long requests
 * were on the way.
 */
function refusedWithin(all: Many<LedgerRow>, refused: Many<LedgerRow>, limit: number, windowMs: number) {
  const own = refused.filter(({ phase }) => WITHIN.includes(phase));
  const counts = own.length > 0 ? worstCaseCounts(all, own, windowMs + CLOCK_GRAIN_MS) : [];
  return own
    .map((entry, index) => ({ entry, inWindow: counts[index] ?? Number.POSITIVE_INFINITY }))
    .filter(({ inWindow }) => inWindow <= limit)
    .sort((a, b) => a.entry.sentMs - b.entry.sentMs)
    .map(({ entry, inWindow }) => {
      const retryAfter = limitFieldsIn(entry.note)['retry-after'] ?? '';
      return {
        entry,
        reported: { phase: entry.phase, sentMs: entry.sentMs, inWindow, form: formOf(entry), retryAfter },
      };
    });
}

/** Nothing was sent for a window before the burst, and for so long on top of it. */
const IDLE_AT_LEAST_MS = 100;

/** Of a longer ledger only the end is used, where more is sent than the limit; what came before may count there. */
const [LEAST_ROWS, LIMITS] = [50_000, 4];

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
  const earlierUntilMs = whole ? firstMs - windowMs - IDLE_AT_LEAST_MS : firstMs;
  // In the middle, so that boundaries before and after are known about equally well.
  const originMs = end.find(({ phase }) => phase === 'overflow')?.sentMs ?? firstMs;
  const answerOf = (entry: LedgerRow): Answer => ({
    sentMs: entry.sentMs,
    answeredMs: Math.max(entry.sentMs, entry.firstByteMs - wayMs),
    outcome: classify(entry),
  });
  const scale = { limit, windowMs, originMs };
  const left = (some: readonly LedgerRow[]) => eliminate(some.map(answerOf), earlierUntilMs, scale);
  const ofAll = left(end);
  // The siblings may have budgets of their own.
  const own = siblings.length === 0 ? end : end.filter((entry) => entry.operation === operation);
  const isAll = ofAll.length > 0 || siblings.length === 0;
  const survivors = isAll ? ofAll : left(own);
  const isKnown = survivors.length > 0 && !survivors.some(({ differsTwice }) => differsTwice);
  return {
    survivors,
    isAlone: !isAll && survivors.length > 0,
    ...(isKnown ? {} : { exceedsRoom: exceedsRoom(own.map(answerOf), scale) }),
  };
}

/**
 * Every request takes at least so long, there and back, ms. How that splits between there and back shifts all arrivals
 * alike, which makes no difference to a limiter; so an arrival is uncertain only by what its way took longer. Not all
 * of the quickest one: there may be several ways.
 * @param errorMs of the clocks of several runners, by which their times have been shifted
 */
function leastWayMs(all: Many<LedgerRow>, errorMs: number): number {
  const answered = all.filter(({ status }) => status !== 0);
  const quickestMs = answered.length > 0 ? leastOf(answered, (row) => row.firstByteMs - row.sentMs) : 0;
  return SURE_SHARE * Math.max(0, quickestMs - 2 * errorMs);
}

const SURE_SHARE = 0.8;
