/**
 * What the job of an accepted body shows: it may be lost, or cut short, and then the body was not really accepted.
 * Where a target doesn't show its jobs, the report says so, and no check fails.
 */
import type { PayloadAttempt, PayloadFacts, PayloadJob } from '../../../schemas/facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';

export interface JobFinding {
  readonly verdict: 'whole' | 'not-shown' | 'lost' | 'inconclusive';
  readonly text: string;
}

const notShown = (text: string): JobFinding => ({ verdict: 'not-shown', text });

/** Of a body that was accepted. */
export function jobFinding({ job }: PayloadAttempt, facts: PayloadFacts): JobFinding {
  if (!job) {
    const fault = brokenLedger(facts.health);
    return fault ? inconclusive(`its job was not polled: ${fault}`) : notShown('its job was not polled');
  }
  switch (job.state) {
    case 'completed':
      return completed(job, facts);
    case 'forgotten':
      return { verdict: 'lost', text: 'its job is unknown, while those of small bodies before and after it are known' };
    case 'all-forgotten':
      return inconclusive(
        'its job is unknown, and those of small bodies are not known to be kept: all may be forgotten, as in a restart',
      );
    case 'unanswered':
      return inconclusive('status requests for its job got no answer or a server error');
    case 'ended':
      return inconclusive('its job ended without completing, which may be due to the handler');
    case 'queued':
    case 'running':
      return inconclusive(
        job.watchedMs === null
          ? `its job was still ${job.state}, and that of a small body was not seen to end either`
          : grouped`its job was still ${job.state} ${job.watchedMs} ms after that of a small body had ended`,
      );
    case 'unseen':
      return notShown('no answer showed the state of its job');
    case 'nameless':
      return notShown('the response named no job');
  }
}

const inconclusive = (text: string): JobFinding => ({ verdict: 'inconclusive', text });

function completed(job: PayloadJob, facts: PayloadFacts): JobFinding {
  if (job.endCameBack === true) return { verdict: 'whole', text: 'its job completed and gave back its last part' };
  if (job.endCameBack === null) return notShown('its job completed, without an output');
  if (!facts.readable) {
    return notShown('its job completed; workloads.quick has no {{echo}}, so no output shows that all arrived');
  }
  const small = facts.attempts.find((one) => one.bytes < facts.acceptBytes && one.job)?.job;
  if (small?.endCameBack !== true) {
    return notShown('its job completed; its output lacks the last part of the body, and so does that of a small body');
  }
  if (small.paddingCameBack) {
    return notShown(
      'its job completed; the handler gives back all it gets, and this was too much to see its last part',
    );
  }
  return {
    verdict: 'lost',
    text: 'its job completed without its last part, which that of a small body gives back: it was cut short',
  };
}
