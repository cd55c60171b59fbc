/**
 * The truth table of the queue rule as words: which lengths one operation was accepted at, and which refused. It shows
 * what was tried; whether that is right is the business of the guarantee and the enforcement.
 */

import type { QueueAttempt, QueueFacts } from '../../../schemas/facts.ts';
import type { Submitting } from '../../../schemas/operations.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { type Claim, holds, unclear } from '../../verdicts/claim.ts';
import { isTaken, where } from './evidence.ts';

export function lengthsTried(facts: QueueFacts, operation: Submitting): Claim {
  const own = facts.attempts.filter((one) => one.operation === operation);
  const accepted = own.filter(isTaken);
  const refused = own.filter((one) => one.outcome === 'refused' && one.persisted === true);
  const expected = grouped`${where(facts)}: accepted up to ${facts.border} queued, refused from ${facts.border + 1}`;
  const seen = `${where(facts)}: accepted with ${ranges(accepted)} queued, refused with ${ranges(refused)}`;
  if (accepted.length + refused.length === 0) return unclear(expected, seen, 'nothing was accepted or refused');
  return holds(expected, seen);
}

/** Lengths as `0 to 50, 52`; `none` for none. Those submitted at the same moment met every length of theirs. */
export function ranges(attempts: readonly Pick<QueueAttempt, 'queuedMin' | 'queuedMax'>[]): string {
  const sorted = [...attempts].sort((a, b) => a.queuedMin - b.queuedMin);
  const runs: { readonly from: number; to: number }[] = [];
  for (const { queuedMin, queuedMax } of sorted) {
    const last = runs.at(-1);
    if (last && queuedMin <= last.to + 1) last.to = Math.max(last.to, queuedMax);
    else runs.push({ from: queuedMin, to: queuedMax });
  }
  return runs.map(({ from, to }) => (from === to ? grouped`${from}` : grouped`${from} to ${to}`)).join(', ') || 'none';
}
