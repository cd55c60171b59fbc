/** When one burst of a rate probe is not enough to say what limit is behind it. */
import type { RateFacts } from '../../schemas/facts.ts';

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
