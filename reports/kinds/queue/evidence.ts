/** What a queue probe's facts can carry: whether the queue's length is known, and who else may have refused. */
import type { QueueAttempt, QueueFacts } from '../../../schemas/facts.ts';
import { isSuccess } from '../../../schemas/status.ts';
import { grouped } from '../../../schemas/thousands.ts';
import type { JudgingContext } from '../../verdicts/context.ts';
import { generatorFault } from '../../verdicts/evidence.ts';

/** What other probes of the run have measured of other limits than the queue's. */
export type Comparison = Pick<JudgingContext, 'concurrencyFloor' | 'concurrencyProven' | 'rateFloor'>;

export const where = (facts: QueueFacts): string => grouped`${facts.instId}, WorkersMax ${facts.workersMax}`;

/** Why the queue may be shorter than what was accepted, or undefined when it can't be. */
export function unknownQueue(facts: QueueFacts): string | undefined {
  const { workersHeld, workersMax, waiting, outage, health } = facts;
  if (workersHeld < workersMax) {
    return grouped`only ${workersHeld} of ${workersMax} workers were seen busy with slow jobs, so queued jobs may have been started`;
  }
  if (waiting.left > 0) {
    return grouped`${waiting.left} of ${waiting.sampled} accepted jobs that were polled had left the queue: the handler does not wait as its input says, or there are more workers than WorkersMax says, or several jobs to each`;
  }
  const { forgotten = 0, sampled } = waiting;
  if (forgotten > 0) {
    return grouped`${forgotten} of ${forgotten + sampled} accepted jobs that were polled are unknown to the target, as after a restart`;
  }
  if (outage && sampled === 0) {
    return grouped`${outage.requests} requests got no answer of the target's own, and no accepted job could be polled afterwards`;
  }
  return generatorFault(health);
}

/**
 * What else may have refused, or undefined when nothing else can have: how many more of the operation were open than
 * are certainly served at once. Those that were open during a refusal weigh only where the run has measured that they
 * may.
 */
export function otherRefuser(one: QueueAttempt, facts: QueueFacts, context: Comparison): string | undefined {
  if (one.reopened) return undefined;
  if (one.operation === 'run' && !endedWithPurge(facts)) {
    return 'it outlasted an idle window, but nothing shows that it ended with the queue: a limit of a longer window may have refused';
  }
  if (one.open === 0) return undefined;
  const proven = Math.min(context.concurrencyFloor(one.operation), context.concurrencyProven(one.operation));
  if (one.open < proven) return undefined;
  return grouped`${one.open} other ${one.operation} were still open, so the limit on requests at once may have refused`;
}

/** A purge changes the queue and no other limit: submissions that are taken right after it were refused for the queue. */
function endedWithPurge({ purge }: QueueFacts): boolean {
  return purge !== undefined && isSuccess(purge.status) && isSuccess(purge.nextStatus);
}

/** Silence is an acceptance only where the job was seen in the queue: a refusal may be slow. */
export const isTaken = ({ outcome, seenQueued }: QueueAttempt): boolean =>
  outcome === 'accepted' || (outcome === 'unanswered-yet' && seenQueued);
