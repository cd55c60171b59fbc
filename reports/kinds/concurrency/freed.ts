/**
 * Whether a slot becomes free once its request was answered, and once it was aborted. A request that seems to have
 * taken the slot may only not have been read yet, and one that was aborted may never have had one: both count only
 * where control requests show that the target had them.
 */
import type { ConcurrencyFacts, HoldCounts } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import type { JudgingContext } from '../../verdicts/context.ts';
import { noInputText, statusText } from '../../verdicts/evidence.ts';
import { refusesBeyond } from './measure.ts';

// What a concurrency probe saw, as text: the fate of its waves, how many were at once, and why some show nothing.

const WAITED_IN_VAIN = '408';

export function describeHolds(facts: ConcurrencyFacts): string {
  const { technique, within, beyond, further, getAnsweredAtOnce } = facts;
  const reported = facts.refusesWhole ? 'refused once complete' : 'refused at once';
  const held = technique === 'whole' ? 'served' : 'held';
  const others = [beyond, further].flatMap((wave) => (wave && wave.opened > 0 ? [wave] : []));
  const waves = [within, ...others].map((wave) => waveWords(wave, held, reported)).join('; then ');
  const postOnly =
    getAnsweredAtOnce === undefined
      ? ''
      : grouped`; by POST alone, since a GET was answered ${getAnsweredAtOnce || 'with a reset'} before its body was complete`;
  const how = technique === 'whole' ? 'whole requests, since held ones show nothing' : technique;
  return `${how}: ${waves}; ${overlapWords(facts)}${postOnly}${noInputText(facts)}`;
}

function waveWords(wave: HoldCounts, word: string, reported: string): string {
  const { opened, held, refusedEarly, refusedLate, answeredEarly, lost } = wave;
  const parts = [grouped`${held} ${word}`, grouped`${refusedEarly} ${reported}`];
  if (refusedLate > 0) parts.push(grouped`${refusedLate} refused after the release`);
  if (answeredEarly > 0) parts.push(grouped`${answeredEarly} answered without waiting`);
  if (lost > 0) parts.push(grouped`${lost} lost`);
  return grouped`${opened} opened: ${parts.join(', ')}`;
}

/** Both bounds where they differ: as their sender saw it, and with all that can have been in flight as well. */
function overlapWords({ overlapInner, overlapOuter }: ConcurrencyFacts): string {
  return overlapInner === overlapOuter
    ? grouped`${overlapInner} at once`
    : grouped`at least ${overlapInner} and at most ${overlapOuter} at once`;
}

/** Why a refusal need not be the limit's: what it does not count was refused alike, and not as slots were taken. */
export function outageWords(facts: ConcurrencyFacts): string | undefined {
  const { besides, refusals } = facts;
  if (!besides || letsInAsSlots(facts)) return undefined;
  const what = `${statusText(besides)} where this limit does not count, as the refusals were (${statusText(refusals.statuses)})`;
  return `the target, or a proxy in front of it, refused all requests during it: ${what}`;
}

/** A refusal that need not be a limit's, or undefined where there is none. */
export function serverErrorWords({ refusals: { statuses } }: ConcurrencyFacts): string | undefined {
  const isOne = Object.keys(statuses).some((status) => status.startsWith('5'));
  return isOne ? `refused with ${statusText(statuses)}, which an overloaded target returns too` : undefined;
}

/** The same, unless what is there shows the limit: each one beyond it was refused, and those within as slots were taken. */
export function overloadWords(facts: ConcurrencyFacts): string | undefined {
  const { within, arrivedTogether } = facts;
  const isLimit = refusesBeyond(facts) && arrivedTogether && (within.held === within.opened || letsInAsSlots(facts));
  return isLimit ? undefined : serverErrorWords(facts);
}

/**
 * Freed slots were taken again, and more were requested than were freed; or, where none can be freed, all else was
 * refused as long as they were taken, and not afterwards. And there never were more at once than the first wave got.
 */
function letsInAsSlots(facts: ConcurrencyFacts): boolean {
  const { technique, within, afterFree, afterAbort, refill, refusesWhole, servesBehind, overlapOuter } = facts;
  const takenAgain = [afterFree, afterAbort].every((wave) => wave && wave.held > 0);
  const asTaken =
    technique === 'whole'
      ? servesBehind === true && refusesBeyond(facts)
      : takenAgain && (refill !== undefined || refusesWhole === true);
  return asTaken && within.held === overlapOuter;
}

/** Why the number at once is not known, where some of them were lost or were answered before they were complete. */
export function lostWords(facts: ConcurrencyFacts): string | undefined {
  const { within, beyond, statuses } = facts;
  const lost = within.lost + beyond.lost;
  if (lost > 0) {
    const why = statuses[WAITED_IN_VAIN] ? 'the target does not wait for a body that is held back' : 'lost on the way';
    return grouped`${lost} got no usable answer (${statusText(statuses)}): ${why}, so at most ${facts.overlapInner} overlapped`;
  }
  const early = within.answeredEarly + beyond.answeredEarly;
  if (early === 0) return undefined;
  return (
    grouped`${early} were answered before their bodies were complete (${statusText(statuses)}), ` +
    grouped`so at most ${facts.overlapInner} overlapped for certain`
  );
}

/** Why nothing is known of the limit where held requests were not refused, as those may not count. */
export const notCounted = (facts: ConcurrencyFacts): string =>
  grouped`nothing shows that this target counts a request before its body is complete: ${facts.overlapOuter} were held at once ` +
  'and none was refused during it; where a proxy in front reads bodies whole, test the service behind it';

const EXPECTED = 'a new request is taken after one was answered, and after one was aborted';

type Slots = NonNullable<ConcurrencyFacts['slotTakers']>;

export function judgeFreed(facts: ConcurrencyFacts, limit: ConcurrencyLimit, context: JudgingContext): Claim {
  const { technique, afterFree, afterAbort, slotTakers, beyond } = facts;
  const seen = `${fateOf('answered', afterFree)}; ${fateOf('aborted', afterAbort)}`;
  const open = (why: string): Claim => inconclusive(EXPECTED, seen, why);
  const { refusedEarly, opened } = beyond;
  if (technique === 'held-body' && facts.fewestAtRefusal === null) return open(notCounted(facts));
  if (technique === 'whole' && opened === 0)
    return open(grouped`answers come too soon: ${opened} requests were sent while all slots were known to be taken`);
  if (!refusesBeyond(facts)) {
    return open(
      grouped`only ${refusedEarly} of ${opened} beyond the limit were refused, so not all slots were taken and a freed one could not be recognised`,
    );
  }
  const lost = lostWords(facts);
  if (lost) return open(lost);
  if (isRefused(afterFree) || isRefused(afterAbort)) {
    const other = otherReason(facts, limit, context);
    return other ? open(other) : broken(EXPECTED, seen);
  }
  const tried = [afterFree, afterAbort].filter((wave) => wave !== undefined);
  if (tried.length < 2) return open(grouped`only ${tried.length} of 2 was tried`);
  const late = tried.reduce((sum, wave) => sum + wave.refusedLate, 0);
  if (late > 0)
    return open(grouped`${late} of those tries seemed to be taken, and was refused when the others were released`);
  const unseen = tried.reduce((sum, wave) => sum + wave.lost, 0);
  if (unseen > 0) return open(grouped`${unseen} of those tries got no usable answer`);
  const unproven = slotTakers ? missingProof(slotTakers) : undefined;
  return unproven ? open(unproven) : holds(EXPECTED, seen);
}

const isRefused = (wave: HoldCounts | undefined): boolean => wave !== undefined && wave.refusedEarly > 0;

function fateOf(name: string, wave: HoldCounts | undefined): string {
  if (!wave) return `after one was ${name}: not tried`;
  const refused = isRefused(wave) ? 'refused, however often it was tried' : 'taken';
  return `after one was ${name}: ${wave.refusedLate > 0 ? 'refused when the others were released' : refused}`;
}

/** Why a slot may have been refused though it was given back, or undefined. */
function otherReason(facts: ConcurrencyFacts, { budget, per }: ConcurrencyLimit, context: JudgingContext) {
  const { technique, within, afterFree, afterAbort, slotTakers } = facts;
  const requested = facts.opened + (slotTakers?.tries ?? 0);
  const rate = context.rateFloor(budget);
  if (requested > rate)
    return grouped`the rate limit, measured at ${rate} per window, may have refused some of ${requested} requests too`;
  if (per === 'endpoint' && context.shared(facts.instId))
    return grouped`others may have taken the slot; ${facts.instId} needs --dedicated, as ${within.opened} slots were all taken`;
  if (technique === 'long-poll') {
    const when = isRefused(afterAbort) ? 'its client had left while it waited' : 'it was answered';
    return grouped`1 of ${within.opened} slots did not become free when ${when}: the service keeps it, or a proxy in front hides that`;
  }
  // It may have been read only after it was aborted, and have kept the slot until that was noticed.
  if (!isRefused(afterFree) && slotTakers && !slotTakers.aborted)
    return `0 of the control requests behind the one that was aborted show that the target had it`;
  return undefined;
}

function missingProof(slots: Slots): string | undefined {
  const parts = [
    { there: slots.afterFree, name: 'the one after the answer' },
    { there: slots.aborted, name: 'the one that was aborted' },
    { there: slots.afterAbort, name: 'the one after the abort' },
  ];
  const missing = parts.filter(({ there }) => !there).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  return grouped`nothing shows that ${missing.length} of 3 had reached the target in time: ${missing.join(', ')}`;
}
