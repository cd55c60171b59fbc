/** Facts of a queue probe -> claims on what a purge does to queued and to running jobs (spec part 4.2). */
import type { QueueFacts, QueuePurge } from '../../../schemas/facts.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, unclear } from '../../verdicts/claim.ts';
import { generatorFault } from '../../verdicts/evidence.ts';
import { type Beside, where } from './evidence.ts';

const TOO_MANY = 429;
/** A few tell nothing: the target named no id, or a worker has just taken them. */
const MOST_OF_ALL = 0.95;

/** Right after its answer: a purge that still goes on then has not cleared what it said. */
export function purgeClears(facts: QueueFacts, context: Pick<Beside, 'rateFloor'>): Claim {
  const expected = 'all queued jobs gone when the purge is answered, and the next submission accepted';
  const { purge } = facts;
  if (!purge) {
    const why = generatorFault(facts.health) ?? 'the queue was never purged';
    return unclear(expected, `${where(facts)}: not reached`, why);
  }
  const seen = `${where(facts)}: ${words(purge)}`;
  if (purge.status === TOO_MANY) return unclear(expected, seen, 'the purge itself was refused');
  if (purge.status === 0) return unclear(expected, seen, 'the purge got no answer');
  if (purge.queuedBefore === 0 || purge.sampled === 0) {
    return unclear(expected, seen, 'no queued job could be looked at');
  }
  if (purge.cleared < purge.sampled) return broken(expected, seen);
  const { sampled, untold = 0 } = purge;
  if (sampled < MOST_OF_ALL * (sampled + untold)) {
    const jobs = grouped`${untold} of ${sampled + untold} jobs`;
    return unclear(expected, seen, `the queue may have been worked off: ${jobs} had run, or their status did not tell`);
  }
  if (sampled < MOST_OF_ALL * purge.queuedBefore && (purge.countAfter ?? 0) > 0) {
    const why = grouped`health still counted ${purge.countAfter} queued, and not all of ${purge.queuedBefore} were looked at`;
    return unclear(expected, seen, why);
  }
  if (isSuccess(purge.nextStatus)) return holds(expected, seen);
  const allowed = context.rateFloor('run');
  if (purge.nextStatus === 0) return unclear(expected, seen, 'the next submission got no answer');
  if (purge.nextStatus === TOO_MANY && purge.sentInWindow > allowed) {
    return unclear(
      expected,
      seen,
      grouped`the rate limit, ${allowed} per window, explains it: ${purge.sentInWindow} were sent`,
    );
  }
  return broken(expected, seen);
}

function words({ status, queuedBefore, sampled, cleared, leftLater, nextStatus }: QueuePurge): string {
  const left = sampled - cleared;
  const later =
    leftLater === null ? '' : leftLater === 0 ? ', gone some time later' : grouped`, ${leftLater} also later`;
  const looked = grouped`${cleared} of ${sampled} looked at gone${left > 0 ? grouped`, ${left} still queued${later}` : ''}`;
  return grouped`purge answered ${status} with ${queuedBefore} queued; ${looked}; next submission ${nextStatus}`;
}

export function purgeKeepsRunning(facts: QueueFacts): Claim {
  const expected = 'every running job goes on, and one is seen to complete';
  const { purge } = facts;
  if (!purge || purge.status === TOO_MANY || purge.status === 0) {
    return unclear(expected, `${where(facts)}: not reached`, 'the queue was not purged');
  }
  const { running, runningKept, finished } = purge;
  const kept = running > 0 ? [grouped`${runningKept} of ${running} long jobs still running`] : [];
  const ended = finished === undefined ? [] : [`the one that was to end soon: ${finished}`];
  const seen = `${where(facts)}: ${[...kept, ...ended].join('; ') || 'no running job looked at'}`;
  if (runningKept < running) return broken(expected, seen);
  if (finished === 'COMPLETED') return holds(expected, seen);
  if (finished !== undefined && finished !== 'unknown') return broken(expected, seen);
  return unclear(expected, seen, 'no job that ran during the purge was seen to its end');
}
