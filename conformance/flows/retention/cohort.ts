/**
 * The jobs of one watch, each with what it is for: all submitted and ended before anybody waits, so that whatever goes
 * on meanwhile finds nothing of ours queued or running.
 */
import type { CheckContext } from '../../context.ts';
import { RequirementFailed } from '../../target/signals.ts';
import { adopt, type Submitted } from '../submit.ts';
import { Aging, type Sighting } from './aging.ts';
import { cancelledJob, type Ended, failedJob, justEnded, longEnded } from './ended.ts';
import { type Attempt, attempt, type Shown, shown } from './shown.ts';
import type { Terms } from './terms.ts';

export interface Long {
  readonly aging: Aging;
  readonly fresh: Sighting;
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
  readonly steps: readonly { readonly ageMs: number; readonly aging: Aging }[];
  readonly witness: Aging;
  readonly sinceMs: number;
  readonly failed: Submitted | null;
  readonly cancelled: Submitted | null;
  /** As soon as they had ended. */
  readonly fresh: { readonly kept: Sighting; readonly read: Sighting; readonly asked: Shown };
  readonly all: readonly Aging[];
  readonly make: (name: string) => Promise<Aging>;
}

const UNTOUCHED = 2;

export async function cohortOf(t: CheckContext, terms: Terms): Promise<Cohort> {
  const failed = await failedJob(t);
  const cancelled = await cancelledJob(t, terms);
  const make = async (name: string, untouched = true): Promise<Aging> =>
    new Aging(name, await justEnded(t, terms), t.clock, untouched);
  const many = (names: readonly string[]): Promise<Aging[]> => Promise.all(names.map((name) => make(name)));
  const untouched = await Promise.all(Array.from({ length: UNTOUCHED }, () => leftAlone(t, terms)));
  // The first one alone: where jobs don't end or don't stay at all, that is known before many are submitted.
  const kept = await make('kept');
  const freshKept = await kept.look();
  await requireStay(t, terms, freshKept, untouched);
  const [asked, read] = await Promise.all([make('asked'), make('read', false)]);
  const witness = await make('witness');
  const late = await many(terms.lateMs.map((ms) => `after ${Math.round(ms)} ms`));
  const aged = await many(terms.ages.map((ms) => `step ${Math.round(ms)} ms`));
  const steps = terms.ages.flatMap((ageMs, index) => {
    const aging = aged[index];
    return aging ? [{ ageMs, aging }] : [];
  });
  const sinceMs = Math.max(...aged.map(({ job }) => job.latestMs ?? 0), witness.job.latestMs ?? 0);
  for (const one of late) await one.look();
  const fresh = { kept: freshKept, read: await read.look(), asked: await seenBy(asked) };
  const long = await attempt(longJob(t, terms));
  t.signal.throwIfAborted();
  const all = [
    kept,
    ...untouched,
    asked,
    read,
    witness,
    ...late,
    ...aged,
    ...('value' in long ? [long.value.aging] : []),
  ];
  return { kept, read, asked, untouched, long, late, steps, witness, sinceMs, failed, cancelled, fresh, all, make };
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
  const fact = { what: 'a job that has just ended, asked for once more', expected: 'available', observed: seen.words };
  const others = seen.answer === 'gone' && subject === 'run' ? await untouched[0]?.look() : undefined;
  t.require(seen.answer === 'there', others?.answer === 'there' ? 'finding' : 'ground', fact);
}

async function seenBy(asked: Aging): Promise<Shown> {
  const seen = await shown(asked.job.jobs, asked.id);
  asked.saw(seen.status);
  return seen;
}

/** A job that nobody asks for until its time is nearly over; of run nobody knows when it has ended. */
async function leftAlone(t: CheckContext, terms: Terms): Promise<Aging> {
  if (terms.subject === 'runsync') return new Aging('untouched', await justEnded(t, terms), t.clock);
  const reply = await t.jobs.run({ echo: t.word() });
  const { id } = adopt(t, reply);
  return new Aging('untouched', { id, reply, jobs: t.jobs, earliestMs: reply.sentMs, latestMs: null }, t.clock);
}

async function longJob(t: CheckContext, terms: Terms): Promise<Long> {
  const aging = new Aging('ran long', await ranLong(t, terms), t.clock);
  return { aging, fresh: await aging.look() };
}

/** A job that is gone when it ends, and another one too: that everything was lost both times is no explanation. */
async function ranLong(t: CheckContext, terms: Terms): Promise<Ended> {
  const first = await attempt(longEnded(t, terms));
  if ('value' in first) return first.value;
  if (!(first.error instanceof RequirementFailed)) throw first.error;
  await longEnded(t, terms);
  return t.inconclusive(`${first.error.message}; the next one was there`, 'run it again');
}
