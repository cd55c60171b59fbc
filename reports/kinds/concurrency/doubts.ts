/** What weakens the evidence of a concurrency probe: the generator, the way, refusals that may be an outage's. */
import type { ConcurrencyFacts, StatusCounts } from '../../../schemas/facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { type Doubt, doubt } from '../../verdicts/doubt.ts';
import { brokenLedger, statusText, tooFewSent, unseenRequests } from '../../verdicts/evidence.ts';

/**
 * A sender that holds requests open waits so long for their answers before it releases them. When it was kept from
 * running for as long itself, an answer may have lain unread meanwhile.
 */
export const LOOP_STALL_MS = 300;

export function concurrencyDoubts(facts: ConcurrencyFacts): readonly Doubt[] {
  const { health, refusedWithinLimit, refusals } = facts;
  const overload = hasOverload(refusals.statuses)
    ? `refused with ${statusText(refusals.statuses)}, which an overloaded target returns too`
    : undefined;
  return [
    ...doubt('both', brokenLedger(health) ?? tooFewSent(health) ?? stalledSender(facts)),
    ...doubt('fail', unseenRequests(health, refusedWithinLimit), { of: ['guarantee', 'shared'] }),
    ...doubt('fail', overload, { of: ['freed'] }),
    ...doubt('pass', maybeOverload(facts)),
  ];
}

/**
 * A limit that refuses with 503 refuses each one beyond it and none within, and those that
 * it let in are answered as ever, as are requests in between.
 */
function maybeOverload({ within, beyond, refusals, arrivedTogether }: ConcurrencyFacts): string | undefined {
  if (refusals.statuses['429'] !== undefined || !hasOverload(refusals.statuses)) return undefined;
  const exactly = beyond.opened > 0 && beyond.refusedEarly === beyond.opened && within.held === within.opened;
  return exactly && arrivedTogether
    ? undefined
    : `refused with ${statusText(refusals.statuses)}, which an overloaded target returns too`;
}

const hasOverload = (statuses: StatusCounts): boolean => Object.keys(statuses).some((status) => status.startsWith('5'));

function stalledSender(facts: ConcurrencyFacts): string | undefined {
  const stallMs = facts.health.machine?.loopLagMs ?? 0;
  if (facts.technique !== 'held-body' || stallMs < LOOP_STALL_MS) return undefined;
  return grouped`the sender was stalled for ${Math.round(stallMs)} ms, so responses may have been read late`;
}
