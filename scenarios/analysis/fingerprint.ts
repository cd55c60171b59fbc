/**
 * Which algorithm is behind a rate limit, by what comes back after exhaustion: all of it at a boundary, nothing until
 * the burst is a window old, or a trickle from the start. Only what the polls can tell apart gets a name.
 */
import type { Algorithm, RateFacts } from '../../schemas/facts.ts';

/** What the fingerprint is taken from. */
type Exhaustion = Pick<RateFacts, 'burst' | 'over' | 'recovery' | 'limit' | 'windowMs'>;

/** Fewer polls than this inside the window cannot tell a trickle from a boundary that happened to come early. */
const ENOUGH_POLLS = 6;

/** A bucket that gave nothing back in the time of so many tokens is none. */
const TOKENS_OF_SILENCE = 2;

export function fingerprint(facts: Exhaustion): Algorithm {
  if (facts.burst.refused + facts.over.refused === 0) return 'unknown';
  const earliestEcho = facts.burst.fromMs + facts.windowMs;
  const inside = facts.recovery.filter((poll) => poll.atMs < earliestEcho);
  if (inside.length < ENOUGH_POLLS) return 'unknown';
  const firstBack = inside.findIndex((poll) => poll.admitted);
  if (firstBack === -1) {
    return facts.recovery.some((poll) => poll.admitted) ? 'sliding-log-or-anchored-window' : 'unknown';
  }
  const steady = inside.slice(firstBack).every((poll) => poll.admitted);
  if (!steady) return 'sliding-counter';
  if (firstBack === 0) return 'token-bucket';
  // A small bucket refuses the first polls too: it needs a moment for each of its tokens.
  const silentMs = (inside[firstBack - 1]?.atMs ?? 0) - facts.over.toMs;
  return silentMs > TOKENS_OF_SILENCE * (facts.windowMs / facts.limit) ? 'fixed-window' : 'unknown';
}

/**
 * Whether one burst is not enough: it admitted more than the limit within a window, which a larger limit does, and
 * also a fixed window whose boundary fell into the burst. A second burst at another phase tells them apart.
 */
export function needsConfirmation(facts: RateFacts): boolean {
  const admitted = facts.burst.admitted + facts.over.admitted;
  const refused = facts.burst.refused + facts.over.refused;
  const spanMs = facts.over.toMs - facts.burst.fromMs;
  const excess = admitted > facts.limit && refused > 0 && spanMs < facts.windowMs;
  return excess && facts.algorithm !== 'token-bucket';
}
