/**
 * The jobs of one watch, each with what it is for: all submitted and ended before anybody waits, so that whatever goes
 * on meanwhile finds nothing of ours queued or running.
 */
import type { CheckContext } from '../../context.ts';
import { RequirementFailed } from '../../target/signals.ts';
import type { Submitted } from '../submit.ts';
import { Aging, type Sighting } from './aging.ts';
import { cancelledJob, type Ended, failedJob, justEnded, type Left, leftAlone, longEnded, someEnded } from './ended.ts';
import { type Attempt, attempt, type Shown, shown } from './shown.ts';
import type { Terms } from './terms.ts';

// Looks at doubling ages, each at a job that was not asked for since it ended, with a younger job as a witness: when
// the old one is gone and the witness is there, nothing else than its age can have been the reason.

interface Ladder {
  /** One job for each age, all ended. */
  readonly steps: readonly Step[];
  /** When the last of them ended at the latest. */
  readonly sinceMs: number;
  /** A job that was known before they were looked at first. */
  readonly witness: Aging;
  /** No step later than this. */
  readonly untilMs: number;
  /** A new job. */
  readonly make: () => Promise<Aging>;
}

/**
 * `lost`: one was gone while the witness was there · `unsure`: both were gone · `kept`: none was gone. `witness` was
 * known before the last step was looked at.
 */
interface Climbed {
  readonly end: 'lost' | 'unsure' | 'kept';
  readonly witness: Aging;
}

export async function climb(t: CheckContext, ladder: Ladder): Promise<Climbed> {
  const { steps, sinceMs, untilMs, make } = ladder;
  let { witness } = ladder;
  for (const [index, { ageMs, aging }] of steps.entries()) {
    const next = steps[index + 1];
    // Where a load kept us from looking, the oldest age of those that are over is the one that tells most.
    if (next && sinceMs + next.ageMs <= t.clock.now()) continue;
    if (Math.max(sinceMs + ageMs, t.clock.now()) > untilMs) break;
    await t.sleep(sinceMs + ageMs - t.clock.now());
    // Made before the look, so that at every moment one of the witnesses was known.
    const younger = await make();
    const seen = await aging.look();
    const told = await witness.look();
    if (seen.answer === 'gone') return { end: told.answer === 'there' ? 'lost' : 'unsure', witness: younger };
    witness = younger;
  }
  return { end: 'kept', witness };
}

export interface Long {
  readonly aging: Aging;
  readonly fresh: Sighting;
}

/** A job that nobody asks for before it has this age, ms. */
export interface Step {
  readonly ageMs: number;
  readonly aging: Aging;
}

export interface Cohort {
  /** Asked for just before the end. */
  readonly kept: Aging;
  /** Asked for in between as well. */
  readonly read: Aging;
  /** Asked for by several operations just before the end. */
  readonly asked: Aging;
  /** Never asked for before. */
  readonly untouched: readonly Aging[];
  readonly long: Attempt<Long>;
  /** Asked for after the end. */
  readonly late: readonly Aging[];
  readonly steps: readonly Step[];
  readonly witness: Aging;
  readonly sinceMs: number;
  readonly failed: Submitted | null;
  readonly cancelled: Submitted | null;
  /** As soon as they had ended. */
  readonly fresh: { readonly kept: Sighting; readonly read: Sighting; readonly asked: Shown };
  readonly all: readonly Aging[];
  /** The same steps of fresh jobs. */
  readonly again: () => Promise<readonly Step[]>;
  /** A new job that nobody asks for. */
  readonly left: () => Promise<Aging>;
}

const READ = 'read';
const WITNESS = 'witness';

export async function cohortOf(t: CheckContext, terms: Terms): Promise<Cohort> {
  const aging = (name: string, job: Left): Aging => new Aging(name, job, t.clock, name !== READ);
  const left = async (name: string): Promise<Aging> => aging(name, await leftAlone(t, terms));
  const untouched = [await left('untouched'), await left('untouched')];
  // The first one alone: where jobs don't end or don't stay at all, that is known before many are submitted.
  const first = await justEnded(t, terms);
  const kept = aging('kept', first);
  const freshKept = await kept.look();
  await requireStay(t, terms, freshKept, untouched);
  const tookMs = first.latestMs - first.reply.sentMs;
  const ended = async (name: string): Promise<Aging> => aging(name, await justEnded(t, terms, tookMs));
  const some = async (names: readonly string[]): Promise<Aging[]> =>
    (await someEnded(t, terms, names.length, tookMs)).flatMap((job, index) => aging(names[index] ?? '', job));
  // One of run asks until it has ended, so they are awaited in turn; those of runsync would age meanwhile.
  const begin = terms.subject === 'run' ? inTurn() : atOnce;
  const [failed, cancelled, asked, read, witness, late, steps] = await Promise.all([
    begin(() => failedJob(t, tookMs)),
    begin(() => cancelledJob(t, terms)),
    begin(() => ended('asked')),
    begin(() => ended(READ)),
    begin(() => left(WITNESS)),
    begin(() => some(terms.lateMs.map((ms) => `after ${Math.round(ms)} ms`))),
    begin(() => stepsOf(terms, some)),
  ]);
  const sinceMs = Math.max(...steps.map(({ aging: { job } }) => job.latestMs ?? 0), witness.job.reply.endMs);
  for (const one of late) await one.look();
  const fresh = { kept: freshKept, read: await read.look(), asked: await seenBy(asked) };
  const long = await attempt(longJob(t, terms, read));
  t.signal.throwIfAborted();
  const ranLongToo = 'value' in long ? [long.value.aging] : [];
  const all = [kept, ...untouched, asked, read, witness, ...late, ...steps.map((one) => one.aging), ...ranLongToo];
  return {
    kept,
    read,
    asked,
    untouched,
    long,
    late,
    steps,
    witness,
    sinceMs,
    failed,
    cancelled,
    fresh,
    all,
    again: () => stepsOf(terms, some),
    left: () => left(WITNESS),
  };
}

const atOnce = <T>(work: () => Promise<T>): Promise<T> => work();

function inTurn(): typeof atOnce {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

async function stepsOf(
  { ages }: Terms,
  make: (names: readonly string[]) => Promise<readonly Aging[]>,
): Promise<readonly Step[]> {
  const made = await make(ages.map((ms) => `step ${Math.round(ms)} ms`));
  return made.flatMap((aging, index) => ({ ageMs: ages[index] ?? 0, aging }));
}

/**
 * A job of run was seen finished by the answer before this one, so that it is gone now is a finding, unless those that
 * nobody has asked for are gone as well. One of runsync may be unknown to status from the start.
 */
async function requireStay(
  t: CheckContext,
  { subject }: Terms,
  seen: Sighting,
  untouched: readonly Aging[],
): Promise<void> {
  const what = 'a second status request about a job that has just ended';
  const others = seen.answer === 'gone' && subject === 'run' ? await untouched[0]?.look() : undefined;
  t[others?.answer === 'there' ? 'finding' : 'ground'](what, 'available', seen.words, seen.answer === 'there');
}

async function seenBy(asked: Aging): Promise<Shown> {
  const seen = await shown(asked.job.jobs, asked.id);
  asked.saw(seen.status);
  return seen;
}

async function longJob(t: CheckContext, terms: Terms, control: Aging): Promise<Long> {
  const aging = new Aging('ran for a long time', await ranLong(t, terms, control), t.clock);
  return { aging, fresh: await aging.look() };
}

/**
 * A job that is gone when it ends, and another one too. Everything may have been lost both times, and then so is what
 * ended before.
 */
async function ranLong(t: CheckContext, terms: Terms, control: Aging): Promise<Ended> {
  const first = await attempt(longEnded(t, terms));
  if ('value' in first) return first.value;
  if (!(first.error instanceof RequirementFailed)) throw first.error;
  const second = await attempt(longEnded(t, terms));
  if ('value' in second) return t.inconclusive(`${first.error.message}; the next job was available`, 'run it again');
  if (second.error instanceof RequirementFailed && (await control.look()).answer === 'gone') {
    return t.inconclusive(`${second.error.message}; so was an earlier job`, 'run it again');
  }
  throw second.error;
}
