/**
 * Two hundred jobs, submitted and looked at at the same time, each with a word of its own. Those that take longer are
 * asked about seldom and a few at a time, and how long the others took tells whether they are slow or lost.
 */
import { takes, type WorkloadWish } from '../../schemas/workloads.ts';
import { type CheckContext, shared } from '../context.ts';
import { describe, isOk } from '../target/reply.ts';
import { hasEnded, isSettled, poll, type Seen, type Submitted, stateIs, submit } from './submit.ts';

/** Enough that a service that loses one job in two hundred loses one of these. */
export const CROWD = 200;
/** Long enough that they are there together, short enough for few workers. */
const JOB_MS = 5;

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

/** Nobody waits longer than this for work of moments. */
const PATIENCE_MS = 60_000;
/** No job ended for so long, and for so many times as long as all that ended took: the rest is not just slow. */
const QUIET_MS = 20_000;
const QUIET_TIMES = 5;
/** The pause before the next look is this part of the time so far. */
const PAUSE_SHARE = 1 / 3;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 5000;
/** So long only the first is asked about: where it is the last in the queue, the others have ended when it has. */
const FIRST_MS = 5000;
/** Jobs looked at where nothing has ended since the last look. */
const FEW = 3;
/** And how many for each that had, where most of them had. */
const MORE = 4;
/** Of those that don't move, enough to see that. */
const SOME = 10;
/** Submitted afterwards, to see whether there are workers for them: each could be lost as well. */
const CONTROLS = 3;
/** Looks go through the crowd in such steps, so that progress is seen wherever in the queue it is made. */
const STEP = 83;

export interface Member {
  readonly word: string;
  readonly job: Submitted;
  readonly seen: Seen;
}

type Unseen = Omit<Member, 'seen'> & { readonly seen?: Seen };

const lookAtAll = (t: CheckContext, jobs: readonly Unseen[]): Promise<Member[]> =>
  severalAtOnce(jobs, async (one) => ({ ...one, seen: await poll(t, one.job, () => true, 0, 'finding') }));

interface Followed {
  readonly settled: readonly Member[];
  readonly open: readonly Member[];
  /** From the first look to the last end that was seen, and from there to the last look, milliseconds. */
  readonly tookMs: number;
  readonly quietMs: number;
}

/** Looks at jobs, the first of them first, until all have ended, or `enough` of what it sees. */
async function followAll(
  t: CheckContext,
  jobs: readonly Unseen[],
  enough: (tookMs: number, quietMs: number, open: readonly Unseen[]) => boolean,
): Promise<Followed> {
  const began = t.clock.now();
  const settled: Member[] = [];
  let open: Unseen[] = [...jobs];
  let endMs = began;
  for (let count = 1; open.length > 0; ) {
    const asked = open.slice(0, count);
    const looks = await lookAtAll(t, asked);
    const ended = looks.filter(({ seen }) => isSettled(seen));
    settled.push(...ended);
    const now = t.clock.now();
    const still = looks.filter(({ seen }) => !isSettled(seen));
    const onlyFirst = settled.length === 0 && now - began < FIRST_MS;
    open = onlyFirst ? [...still, ...open.slice(count)] : [...open.slice(count), ...still];
    if (ended.length > 0) endMs = now;
    if (ended.length * 2 >= asked.length) {
      count = ended.length * MORE;
      continue;
    }
    count = onlyFirst ? 1 : FEW;
    if (enough(endMs - began, now - endMs, open)) break;
    await t.sleep(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, (now - began) * PAUSE_SHARE)));
  }
  const [tookMs, quietMs] = [endMs - began, t.clock.now() - endMs];
  const rest = await lookAtAll(t, open);
  const late = rest.filter(({ seen }) => isSettled(seen));
  const still = rest.filter(({ seen }) => !isSettled(seen));
  return { settled: [...settled, ...late], open: still, tookMs, quietMs: late.length > 0 ? 0 : quietMs };
}

async function submitAll(t: CheckContext, count: number): Promise<Unseen[]> {
  const words = Array.from({ length: count }, () => t.word());
  return severalAtOnce(words, async (word) => ({ word, job: await submit(t, { ...crowdWork(t), echo: word }) }));
}

/** Long enough that what is not done by now is not just slow. */
const isQuiet = (tookMs: number, quietMs: number): boolean => quietMs >= Math.max(QUIET_MS, tookMs * QUIET_TIMES);

/** @throws RequirementFailed */
const notTogether = (t: CheckContext, observed: string): void =>
  t.finding(`of ${CROWD} jobs that were submitted together`, 'all end, and each id finds its job', observed, false);

/** Whether jobs that are submitted now are worked off while those that still wait do not move. */
async function areOvertaken(t: CheckContext, open: readonly Member[]): Promise<boolean> {
  const { settled } = await followAll(t, await submitAll(t, CONTROLS), (_took, quietMs) => quietMs >= QUIET_MS / 2);
  if (!settled.some(({ seen }) => hasEnded(seen))) return false;
  return (await lookAtAll(t, open.slice(0, SOME))).every(({ seen }) => !isSettled(seen));
}

/**
 * What has not ended is lost where the others had long ended and a job that is submitted now is worked off before it;
 * else it is slow. Either way it is taken back, so that nobody has to wait behind it.
 *
 * @throws RequirementFailed or Inconclusive
 */
async function requireEnd(t: CheckContext, { settled, open, tookMs, quietMs }: Followed): Promise<void> {
  const unknown = settled.find(({ seen }) => !hasEnded(seen));
  if (unknown) notTogether(t, describe(unknown.seen.reply));
  const [first] = open;
  if (first === undefined) return;
  for (const { job } of open) t.defer((client) => client.cancel(job.id));
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const after = `had not ended after ${seconds(tookMs + quietMs)} (${describe(first.seen.reply)})`;
  const observed = `${open.length} of ${CROWD} jobs ${after}`;
  // A state that we can't read may well say that the job is being worked on.
  const readable = open.every(({ seen }) => seen.state !== 'unknown' || !isOk(seen.reply));
  const longAgo = readable && settled.length * MORE >= open.length && isQuiet(tookMs, quietMs);
  if (longAgo && (await areOvertaken(t, open))) {
    const others = `the others had ended within ${seconds(tookMs)}, and so did a job submitted afterwards`;
    notTogether(t, `${observed}; ${others}`);
  }
  t.inconclusive(observed, 'run it on an endpoint with faster workers');
}

/** All of them at their end. The last is looked at first: where it has ended, most others have as well. */
export const crowd = shared('crowd', 'finding', async (t): Promise<readonly Member[]> => {
  const jobs = await submitAll(t, CROWD);
  const order = jobs.map((_, index) => jobs[(CROWD - 1 + index * STEP) % CROWD]).filter((one) => one !== undefined);
  const began = t.clock.now();
  const queued = stateIs('queued');
  const followed = await followAll(t, order, (tookMs, quietMs, open) => {
    if (t.clock.now() - began >= PATIENCE_MS) return true;
    return isQuiet(tookMs, quietMs) && open.every(({ seen }) => seen !== undefined && queued(seen));
  });
  await requireEnd(t, followed);
  return followed.settled;
});
