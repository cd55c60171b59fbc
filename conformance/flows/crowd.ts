/** Two hundred jobs, submitted and looked at at the same time, each with a word of its own. */
import { takes, type WorkloadWish } from '../../schemas/workloads.ts';
import type { CheckContext } from '../context.ts';
import { finish, hasEnded, poll, type Seen, type Submitted, submit } from './submit.ts';

/** Enough that a service that loses one job in two hundred loses one of these. */
export const CROWD = 200;
/** Of those, may have been lost; more that have not ended are simply not done yet. */
const FEW = 3;
/** Long enough that they are there together, short enough for few workers. */
const JOB_MS = 10;

/** Work for each of a crowd. A handler that can't be told to be slow for moments only would be busy for hours. */
export function crowdWork(t: CheckContext): WorkloadWish {
  return takes(t.target.config.workloads, 'slow', 'delay_ms') ? { delay_ms: JOB_MS } : {};
}

/** Requests at the same time; more connections than that tell nothing more. */
const AT_ONCE = 50;

/** The results in the order of the items. */
async function severalAtOnce<T, R>(items: readonly T[], one: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await one(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

export interface Member {
  readonly word: string;
  readonly job: Submitted;
  readonly seen: Seen;
}

const isSettled = (seen: Seen): boolean => hasEnded(seen) || seen.reply.status >= 400;

/**
 * Many that are still to do are slow workers, not lost jobs; they are taken back, so that nobody has to wait behind them.
 *
 * @throws Inconclusive
 */
function requireQuick(t: CheckContext, all: readonly Member[]): void {
  const open = all.filter(({ seen }) => !isSettled(seen));
  if (open.length <= FEW) return;
  for (const { job } of open) t.defer((client) => client.cancel(job.id));
  t.inconclusive(
    `${open.length} of ${all.length} jobs had not ended after a minute`,
    'run it where workers are quicker',
  );
}

/** All of them at their end. The last is waited for first: the others have ended then, and one look at each will do. */
export function crowd(t: CheckContext): Promise<readonly Member[]> {
  const make = async (own: CheckContext): Promise<readonly Member[]> => {
    const words = Array.from({ length: CROWD }, () => own.word());
    const jobs = await severalAtOnce(words, async (word) => {
      return { word, job: await submit(own, { ...crowdWork(own), echo: word }) };
    });
    const last = jobs.at(-1);
    if (last) await poll(own, last.job, isSettled);
    const looks = await severalAtOnce(jobs, async (one) => ({ ...one, seen: await poll(own, one.job, () => true) }));
    requireQuick(own, looks);
    const ended = async (one: Member): Promise<Member> =>
      hasEnded(one.seen) ? one : { ...one, seen: await finish(own, one.job, 'finding') };
    return severalAtOnce(looks, ended);
  };
  return t.once('crowd', make);
}
