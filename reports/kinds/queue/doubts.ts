/**
 * What trouble takes from the claims on a queue and its purge: a ledger that is not whole, a target that was gone for a
 * moment and has forgotten its queue, and one behind a gateway that answered for it and was never asked.
 */
import type { QueueFacts, QueuePurge } from '../../../schemas/facts.ts';
import { PURGE_CLEARS, PURGE_KEEPS_RUNNING } from '../../../schemas/load-checks.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { type Doubt, doubt } from '../../verdicts/doubt.ts';
import { brokenLedger, statusText } from '../../verdicts/evidence.ts';

const isOutage = (status: number): boolean => status >= 500;

export function queueDoubts(facts: QueueFacts): readonly Doubt[] {
  const { purge } = facts;
  return [
    ...doubt('both', brokenLedger(facts.health)),
    ...doubt('pass', maybeForgotten(facts), { of: [PURGE_CLEARS] }),
    ...doubt('fail', purge && goneOtherwise(purge), { of: [PURGE_KEEPS_RUNNING] }),
    // A job accepted beyond the border stays a break, whatever became of other requests: the length is known from below,
    // and unless the target has forgotten jobs meanwhile (see `unknownQueue`) they all still wait.
    ...doubt('fail', outage(facts), { except: ['enforced'] }),
  ];
}

/** Why jobs that are unknown after a purge may not be so for the purge. */
function maybeForgotten(facts: QueueFacts): string | undefined {
  const { purge, outage: met, waiting } = facts;
  if (purge?.memory === 'lost') return LOST;
  if (waiting.forgotten) return grouped`${waiting.forgotten} jobs were unknown before the purge already`;
  return met && purge?.memory !== 'kept' ? `${metWords(met)}, and a target that restarts may forget them` : undefined;
}

const LOST =
  '1 job that had been cancelled before is unknown as well, so the target may have forgotten everything, as in a restart';

/** Why a job that ran during the purge may be gone for another reason. */
function goneOtherwise({ memory, finished, ranOn }: QueuePurge): string | undefined {
  if (memory === 'lost') return LOST;
  return finished === 'gone' && ranOn && memory !== 'kept'
    ? '1 job was still running after the purge and unknown only later, as after a restart'
    : undefined;
}

/** Beyond the border a wrong status is a finding about the refusal; within it, or without any answer, it is none. */
function outage({ attempts, purge, border, outage: met }: QueueFacts): string | undefined {
  const lost = attempts.filter(
    ({ outcome, status, queuedMax }) =>
      outcome === 'other' && (status === 0 || (isOutage(status) && queuedMax <= border)),
  );
  if (lost.length > 0) {
    return grouped`${lost.length} of ${attempts.length} submissions got no answer of the target's own, which may have been gone`;
  }
  for (const [what, status] of [
    ['purge', purge?.status ?? 0] as const,
    ['next submission', purge?.nextStatus ?? 0] as const,
  ]) {
    if (isOutage(status)) return `the ${what} was answered ${status}, as by an overload or an outage`;
  }
  return met ? `${metWords(met)}, so the target may have been gone` : undefined;
}

const metWords = ({ requests, statuses }: NonNullable<QueueFacts['outage']>): string =>
  grouped`${requests} other requests got no answer of the target's own (${statusText(statuses)})`;
