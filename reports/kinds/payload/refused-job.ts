/** Facts about refused bodies -> one claim for each limit: whether a refused body becomes a job all the same. */
import type { RefusedJobFacts } from '../../../schemas/facts.ts';
import type { LimitTable } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';
import { bytesText, isRefusal } from './sides.ts';

type Round = RefusedJobFacts['rounds'][number];

export function judgeRefusedJobs(facts: RefusedJobFacts, table: LimitTable): Record<string, Claim> {
  return Object.fromEntries(table.of('content-bytes').map(({ id }) => [`${id}.refused-job`, judge(facts, id)]));
}

function judge(facts: RefusedJobFacts, limitId: string): Claim {
  const own = facts.rounds.filter((one) => one.limitId === limitId);
  const [first] = own;
  const expected = `no job of a body of ${first ? bytesText(first.bytes) : 'that size'} that was refused`;
  const fault = brokenLedger(facts.health);
  if (!first || fault) return inconclusive(expected, 'not reached', fault ?? 'the probe stopped before this body');
  const statuses = [...new Set(own.map(({ status }) => (status === 0 ? 'no answer' : String(status))))].join(', ');
  if (!own.every(isRefusal)) return inconclusive(expected, statuses, 'not every such body was refused');
  const seen = `${statuses}; ${visibilityText(facts, own)}`;
  const proof = proofOf(facts, own);
  if (proof) return broken(expected, `${seen}: ${proof}`);
  const reason = doubt(facts, own);
  return reason ? inconclusive(expected, seen, reason) : holds(expected, seen);
}

function visibilityText({ counted, listed, unknownJobs }: RefusedJobFacts, own: readonly Round[]): string {
  const more = own.map(({ moreJobs }) => moreJobs ?? 'unknown').join(' and ');
  return [
    counted ? `jobs more in health: ${more}` : 'health does not count jobs',
    listed && unknownJobs !== null
      ? grouped`unknown ids in the list: ${unknownJobs}`
      : 'the list does not show new jobs',
  ].join('; ');
}

/** Each of them has to show it: one additional job may be that of another client. */
function proofOf({ counted, listed, unknownJobs, rounds }: RefusedJobFacts, own: readonly Round[]): string | undefined {
  if (own.some(({ named }) => named === true)) return 'the refusal named a job, and that job exists';
  const contradicted = listed && unknownJobs === 0;
  if (counted && !contradicted && own.every(({ moreJobs }) => moreJobs !== null && moreJobs >= 1)) {
    return 'each refusal was followed by a new job';
  }
  const unseen = !counted && listed && unknownJobs !== null && unknownJobs >= rounds.filter(isRefusal).length;
  return unseen ? 'as many new jobs as bodies were refused' : undefined;
}

/** Why it is not shown that there was none. */
function doubt({ counted, listed, unknownJobs, rounds }: RefusedJobFacts, own: readonly Round[]): string | undefined {
  const shown = listed && unknownJobs !== null;
  if (!counted && !shown) return 'neither health nor the list of requests shows the jobs of this endpoint';
  const others = rounds.filter((one) => !own.includes(one));
  const explained = others.reduce((sum, { moreJobs }) => sum + Math.max(0, moreJobs ?? 0), 0);
  if (shown && unknownJobs > explained) return 'there are new jobs, and not each refusal was followed by one';
  if (own.some(({ moreJobs }) => (moreJobs ?? 0) > 0)) return 'a job came that may be of another client';
  const silent = own.some(({ moreJobs }) => moreJobs === null || moreJobs < 0);
  return silent && !shown ? 'the counts of health went down during it, which hides a new job' : undefined;
}
