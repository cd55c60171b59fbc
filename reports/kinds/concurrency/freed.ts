/**
 * Whether a slot comes back once its request was answered, and once it was aborted. A request that seems to have taken
 * the slot may only not have been read yet, and one that was aborted may never have had one: both count only where
 * control requests show that the target had them.
 */
import type { ConcurrencyFacts, HoldCounts } from '../../../schemas/facts.ts';
import type { ConcurrencyLimit } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, unclear } from '../../verdicts/claim.ts';
import type { JudgingContext } from '../../verdicts/context.ts';
import { lostWords, openedIn, overlapWords } from './words.ts';

const EXPECTED = 'a new request is taken after one was answered, and after one was aborted';

type Slots = NonNullable<ConcurrencyFacts['slotTakers']>;

export function judgeFreed(facts: ConcurrencyFacts, limit: ConcurrencyLimit, context: JudgingContext): Claim {
  const { afterFree, afterAbort, slotTakers, beyond } = facts;
  const seen = `${fateOf('answered', afterFree)}; ${fateOf('aborted', afterAbort)}`;
  const open = (why: string): Claim => unclear(EXPECTED, seen, why);
  const { refusedEarly, opened } = beyond;
  if (refusedEarly < opened || opened === 0) {
    return open(
      grouped`only ${refusedEarly} of ${opened} beyond the limit were refused, so not all slots were taken and a freed one could not be told`,
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
  return unproven ? open(unproven) : holds(EXPECTED, `${seen}; ${overlapWords(facts)}`);
}

const isRefused = (wave: HoldCounts | undefined): boolean => wave !== undefined && wave.refusedEarly > 0;

function fateOf(name: string, wave: HoldCounts | undefined): string {
  if (!wave) return `after one was ${name}: not tried`;
  const refused = isRefused(wave) ? 'refused, however often it was tried' : 'taken';
  return `after one was ${name}: ${wave.refusedLate > 0 ? 'refused when the others were released' : refused}`;
}

/** Why a slot may have been refused though it was given back, or undefined. */
function otherReason(facts: ConcurrencyFacts, { budget, per }: ConcurrencyLimit, context: JudgingContext) {
  const { afterFree, slotTakers } = facts;
  const asked = openedIn(facts) + (slotTakers?.tries ?? 0);
  const rate = context.rateFloor(budget);
  if (asked > rate)
    return grouped`the rate limit, measured at ${rate} per window, may have refused some of ${asked} requests too`;
  if (per === 'endpoint' && context.shared(facts.instId))
    return grouped`others may have taken the slot; ${facts.instId} needs --dedicated, as ${facts.within.opened} slots were all taken`;
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
