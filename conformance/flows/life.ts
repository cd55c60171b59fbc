/**
 * Whole lives of jobs, looked at closely from their submission to past their end. Each kind is lived once per run and
 * shared by all checks that ask about it.
 */
import type { WorkloadWish } from '../../schemas/workloads.ts';
import type { CheckContext } from '../context.ts';
import { type JobState, notUnderstood, stateOf } from '../reading/job.ts';
import { describe, isOk } from '../target/reply.ts';
import { isInVain, isSettled, type Seen, type Submitted, submit } from './submit.ts';

export type Ending = 'quick' | 'slow' | 'failing' | 'streaming' | 'cancelled';

const SLOW_MS = 600;
const FAILING_MS = 200;
const CANCELLED_MS = 1000;
/** After a cancelled job would have ended by itself; and of any other, for another look after the first at its end. */
const AFTER_MS = 200;
const STILL_MS = 20;
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 25;
const SLOWEST_PAUSE_MS = 250;
const GROWTH = 1.15;

interface Course {
  readonly wish: (word: string) => WorkloadWish;
  /** How long the handler is asked to work before it puts out the word, milliseconds. */
  readonly askedMs: number;
  readonly end: JobState;
  readonly remedy: string;
}

const ECHO = 'see run.completes';

export const courses: Readonly<Record<Ending, Course>> = {
  quick: { wish: (word) => ({ echo: word }), askedMs: 0, end: 'completed', remedy: ECHO },
  slow: { wish: (word) => ({ delay_ms: SLOW_MS, echo: word }), askedMs: SLOW_MS, end: 'completed', remedy: ECHO },
  failing: {
    wish: (word) => ({ delay_ms: FAILING_MS, fail: word }),
    askedMs: FAILING_MS,
    end: 'failed',
    remedy: 'deploy a handler that fails with input.fail',
  },
  streaming: {
    wish: (word) => ({ chunks: 3, chunk_delay_ms: 80, echo: word }),
    askedMs: 0,
    end: 'completed',
    remedy: ECHO,
  },
  cancelled: {
    wish: (word) => ({ delay_ms: CANCELLED_MS, echo: word }),
    askedMs: CANCELLED_MS,
    end: 'cancelled',
    remedy: 'see cancel.state',
  },
};

export interface Life extends Submitted {
  readonly ending: Ending;
  readonly word: string;
  /** Everything that status said, in its order; never empty. */
  readonly looks: readonly Seen[];
  /** Of these, what it said before the job was cancelled; all where it was not. */
  readonly before: readonly Seen[];
  readonly last: Seen;
}

async function look(job: Submitted): Promise<Seen> {
  const reply = await job.jobs.status(job.id);
  return { reply, state: stateOf(reply.json) };
}

/** Looks until one satisfies, or a minute is over, each look a little later than the one before. */
async function watch(t: CheckContext, job: Submitted, enough: (seen: Seen) => boolean): Promise<Seen[]> {
  const began = t.clock.now();
  const until = began + PATIENCE_MS;
  const looks: Seen[] = [];
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, SLOWEST_PAUSE_MS)) {
    const seen = await look(job);
    looks.push(seen);
    if (isInVain(t, seen, began) || enough(seen) || t.clock.now() >= until) return looks;
    await t.sleep(pauseMs);
  }
}

/** Up to its end, and once more. */
async function untilOver(t: CheckContext, job: Submitted): Promise<Seen[]> {
  const looks = await watch(t, job, isSettled);
  await t.sleep(STILL_MS);
  return [...looks, await look(job)];
}

/** Up to its cancelling, and on until after it would have ended by itself. */
async function untilCancelled(t: CheckContext, job: Submitted): Promise<Pick<Life, 'looks' | 'before'>> {
  const before = await watch(t, job, (seen) => seen.state === 'running' || isSettled(seen));
  const wouldEndMs = t.clock.now() + CANCELLED_MS + AFTER_MS;
  t.requireOk(await job.jobs.cancel(job.id));
  const after = await watch(t, job, isSettled);
  await t.sleep(wouldEndMs - t.clock.now());
  return { before, looks: [...before, ...after, await look(job)] };
}

/** A job that lives to this end; `use` names one that is not shared with the rest. Whether it did: `lived` asks. */
export function life(t: CheckContext, ending: Ending, use = 'to be read'): Promise<Life> {
  const make = async (own: CheckContext): Promise<Life> => {
    own.needWorkers();
    const word = own.word();
    const job = await submit(own, courses[ending].wish(word));
    if (ending === 'cancelled') {
      const { before, looks } = await untilCancelled(own, job);
      return { ...job, ending, word, before, looks, last: looks.at(-1) ?? (await look(job)) };
    }
    const looks = await untilOver(own, job);
    return { ...job, ending, word, before: looks, looks, last: looks.at(-1) ?? (await look(job)) };
  };
  return t.once(`life ${use}: ${ending}`, make, 'ground');
}

/** Ground for whatever is asked about a job that has ended in this way. */
function requireEnd(t: CheckContext, { ending, last }: Life): void {
  const { end, remedy } = courses[ending];
  t.ground(
    `a job whose input leads to ${end}`,
    end,
    describe(last.reply),
    isOk(last.reply) && last.state === end,
    notUnderstood(last.reply.json) ?? remedy,
  );
}

/** The same life, ended as it was meant to. */
export async function lived(t: CheckContext, ending: Ending, use?: string): Promise<Life> {
  const one = await life(t, ending, use);
  requireEnd(t, one);
  return one;
}
