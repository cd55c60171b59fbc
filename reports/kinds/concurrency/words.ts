/** What a concurrency probe saw, in words: the fate of its waves, how many were at once, and why some say nothing. */
import type { ConcurrencyFacts, HoldCounts } from '../../../schemas/facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { statusText } from '../../verdicts/evidence.ts';

const WAITED_IN_VAIN = '408';

/** Requests that were opened side by side. */
export function openedIn({ within, beyond, further }: ConcurrencyFacts): number {
  return within.opened + beyond.opened + (further?.opened ?? 0);
}

export function describeHolds(facts: ConcurrencyFacts): string {
  const { technique, within, beyond, further, getAnsweredAtOnce } = facts;
  const told = facts.refusesWhole ? 'refused once complete' : 'refused at once';
  const waves = [within, beyond, ...(further ? [further] : [])].map((wave) => waveWords(wave, told)).join('; then ');
  const postOnly =
    getAnsweredAtOnce === undefined
      ? ''
      : grouped`; by POST alone, since a GET was answered ${getAnsweredAtOnce || 'with a reset'} before its body was complete`;
  return `${technique}: ${waves}; ${overlapWords(facts)}${postOnly}`;
}

function waveWords({ opened, held, refusedEarly, refusedLate, answeredEarly, lost }: HoldCounts, told: string): string {
  const parts = [grouped`${held} held`, grouped`${refusedEarly} ${told}`];
  if (refusedLate > 0) parts.push(grouped`${refusedLate} refused after the release`);
  if (answeredEarly > 0) parts.push(grouped`${answeredEarly} answered without waiting`);
  if (lost > 0) parts.push(grouped`${lost} lost`);
  return grouped`${opened} opened: ${parts.join(', ')}`;
}

/** Both bounds where they differ: as their sender saw it, and with whatever can have been in flight besides. */
export function overlapWords({ overlapInner, overlapOuter }: ConcurrencyFacts): string {
  return overlapInner === overlapOuter
    ? grouped`${overlapInner} at once`
    : grouped`at least ${overlapInner} and at most ${overlapOuter} at once`;
}

/** Why a refusal need not be the limit's: what no limit counts was refused alike. */
export function outageWords({ besides, refusals }: ConcurrencyFacts): string | undefined {
  if (!besides) return undefined;
  const what = `${statusText(besides)} where no limit counts, as the refusals were (${statusText(refusals.statuses)})`;
  return `the target, or what is in front of it, refused for all meanwhile: ${what}`;
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
