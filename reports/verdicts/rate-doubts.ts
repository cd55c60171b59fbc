/** What weakens the evidence of a rate probe: the generator, the way, other limits, other traffic. */
import type { GeneratorHealth, RateFacts } from '../../schemas/facts.ts';
import type { RateLimit } from '../../schemas/limits.ts';
import { CLOSED } from '../../schemas/rate-facts.ts';
import { grouped } from '../../schemas/thousands.ts';
import type { JudgingContext } from './context.ts';
import { type Doubt, doubt } from './doubt.ts';
import { brokenLedger, generatorFault, statusText, tooFewSent } from './evidence.ts';

export function rateDoubts(facts: RateFacts, limit: RateLimit, context: JudgingContext): readonly Doubt[] {
  const { health } = facts;
  return [
    ...doubt('both', brokenLedger(health) ?? tooFewSent(health)),
    // A refusal of a client within the limit was seen, and counted by the worst case, whatever the generator did besides.
    ...doubt('pass', generatorFault(health)),
    ...doubt('fail', unseen(facts), { of: ['guarantee', 'shared'] }),
    ...doubt('fail', maybeForgotten(facts), { of: ['enforced'] }),
    ...doubt('both', maybeOutage(facts), { except: ['refusal', 'retry-after', 'fields'] }),
    ...doubt('pass', maybeNoLimit(facts, limit), { of: ['shared'] }),
    ...doubt('fail', otherLimit(facts, limit, context), { of: ['guarantee'] }),
  ];
}

/** For each answer that is missing: how many refusals within the limit are put down to what the target saw unseen. */
const UNSEEN_EACH = 10;

/**
 * Where connections break, k6 (that is, Go) sends a GET again without a word whenever it had gone out on a connection that
 * was used before, so the target may have counted it twice; one that was given up may reach the target any time later.
 */
export function unseenRequests(health: GeneratorHealth, refusedWithin: number): string | undefined {
  const { unanswered, sent, unansweredError } = health;
  if (unanswered === 0 || refusedWithin > UNSEEN_EACH * unanswered) return undefined;
  return grouped`${unanswered} of ${sent} requests got no answer (${unansweredError}), and the target may have received them twice or late`;
}

/** Closed connections that are refusals are answers. */
const unseen = ({ refusals, health, within }: RateFacts): string | undefined =>
  CLOSED in refusals.statuses ? undefined : unseenRequests(health, within.refused);

/** A target that restarts answers nothing for a moment, and has forgotten what it had counted. */
function maybeForgotten({ unanswered, health: { sent, unansweredError } }: RateFacts): string | undefined {
  return unanswered === 0
    ? undefined
    : grouped`${unanswered} of ${sent} requests got no answer (${unansweredError}), and a target that restarts forgets what it counted`;
}

/**
 * A target that is down for a moment answers 503 or closes connections too. A limiter that refuses so answers all that was
 * sent as such a limiter does; an outage doesn't.
 */
function maybeOutage({ refusals, survivors }: RateFacts): string | undefined {
  const how = without429(refusals);
  return how && survivors.length === 0 ? `${how}, at times that match no known limiter` : undefined;
}

/** Refusals of a limiter that lets more than the limit through, if it is one. */
const maybeNoLimit = ({ refusals, survivors }: RateFacts, { value }: RateLimit): string | undefined =>
  survivors.every((one) => one.value.lower > value) ? without429(refusals) : undefined;

/** How it refused, where it did and never with 429. */
function without429({ statuses }: RateFacts['refusals']): string | undefined {
  const forms = Object.keys(statuses);
  const isOther = forms.length > 0 && forms.every((form) => !form.startsWith('429'));
  return isOther ? `refused with ${statusText(statuses)}, which an overloaded target returns too` : undefined;
}

/** What else than this limit may have refused a client within it. */
function otherLimit(facts: RateFacts, limit: RateLimit, context: JudgingContext): string | undefined {
  const { instId, inFlightOuter, outstandingOuter } = facts;
  if (context.shared(instId))
    return `others may use ${instId} and its budget; run it on an endpoint of its own with --dedicated`;
  const slots = context.concurrencyFloor(limit.budget);
  if (inFlightOuter > slots)
    return grouped`up to ${inFlightOuter} requests may have been in flight, and the concurrency limit lets ${slots} through`;
  const queue = context.queueFloor(instId);
  const jobs = outstandingOuter.atRefusalWithin;
  return jobs > queue
    ? grouped`up to ${jobs} jobs may have been queued, and the queue refuses beyond ${queue}`
    : undefined;
}
