/**
 * One wait for all that is asked about how long the jobs of an operation stay: they are submitted together, age side by
 * side and are looked at around the end of their time. Some are asked for once, some in between, some never before, since
 * asking may prolong a job's time or end it. Where a load goes on meanwhile, nobody is asked for until it is over.
 */
import { type Loss, lossesOf, type RetentionFacts, type Subject } from '../../../schemas/retention.ts';
import type { CheckContext, Weight } from '../../context.ts';
import { isRefusal } from '../../reading/refusal.ts';
import type { Reply } from '../../target/reply.ts';
import type { Submitted } from '../submit.ts';
import type { Aging, Sighting } from './aging.ts';
import { type Cohort, climb, cohortOf, type Long } from './cohort.ts';
import type { Asked, Held, Late, Pair, Watch } from './seen.ts';
import { type Attempt, asGround, attempt, isForgotten, outcomeOf, shown } from './shown.ts';
import { type Terms, termsOf } from './terms.ts';

/** That a job is gone proves nothing where everything was lost at once (see schemas/retention.ts). */
const WIPED = 'jobs of every age were deleted at the same time, as after a restart of the target';

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const words = ({ fromMs, toMs }: Loss): string =>
  `${WIPED}: between ${seconds(fromMs)} and ${seconds(toMs)} after the first was submitted`;

/**
 * The doubt about a job, or null where there is none; asked about no job, that about those that were gone too early.
 *
 * @param all the jobs of the facts, in their order
 */
function doubtsOf(facts: RetentionFacts, all: readonly Aging[]): (one?: Aging) => string | null {
  const losses = lossesOf(facts);
  const early = losses.filter(({ ageMs }) => ageMs < facts.documentedMs);
  return (one) => {
    const own = one && facts.jobs[all.indexOf(one)];
    const loss = own ? losses.find(({ job }) => job === own) : early.find(({ proven }) => !proven);
    const settled = own ? loss?.proven : early.some(({ proven }) => proven);
    return loss && !settled ? words(loss) : null;
  };
}

/** The watch of an operation's jobs, made once per run. */
export async function watched(t: CheckContext, subject: Subject, as: Weight = 'ground'): Promise<Watch> {
  const watch = await t.once(`aged-${subject}`, (own) => keepWatch(own, termsOf(own, subject)), as);
  t.retention = watch.facts;
  return watch;
}

async function keepWatch(t: CheckContext, terms: Terms): Promise<Watch> {
  const { meanwhile } = t.target.circumstances;
  const { subject } = terms;
  try {
    // Jobs that last no longer than a load does are made when it is over.
    if (subject === 'runsync') await meanwhile.pause(subject, t.signal);
    const cohort = await cohortOf(t, terms);
    if (subject !== 'runsync') await meanwhile.pause(subject, t.signal);
    return await new Watching(t, terms, cohort).toTheEnd();
  } catch (error) {
    throw asGround(error);
  } finally {
    meanwhile.leave(subject);
  }
}

class Watching {
  readonly #t: CheckContext;
  readonly #terms: Terms;
  readonly #cohort: Cohort;
  /** Every job there was. */
  readonly #all: Aging[];

  constructor(t: CheckContext, terms: Terms, cohort: Cohort) {
    this.#t = t;
    this.#terms = terms;
    this.#cohort = cohort;
    this.#all = [...cohort.all];
  }

  async toTheEnd(): Promise<Watch> {
    const { kept, read, untouched, long, failed, cancelled, fresh } = this.#cohort;
    const climbing = this.#climb();
    const looking = [this.#held(kept, fresh.kept), this.#read(read, fresh.read), attempt(this.#asked())] as const;
    const [heldKept, heldRead, asked, witness, heldLong, ends, late, ...heldUntouched] = await Promise.all([
      ...looking,
      this.#witness(climbing, Promise.all(looking)),
      attempt(this.#long(long)),
      this.#others([failed, cancelled]),
      attempt(this.#late()),
      ...untouched.map((one) => this.#held(one)),
    ]);
    await witness?.look();
    const [pairFailed, pairCancelled] = [await this.#pair(failed, ends[0]), await this.#pair(cancelled, ends[1])];
    const lateRead = await read.look();
    return {
      terms: this.#terms,
      facts: this.#facts(),
      doubtOf: doubtsOf(this.#facts(), this.#all),
      kept: heldKept,
      untouched: heldUntouched,
      read: { ...heldRead, late: lateRead },
      long: heldLong,
      asked,
      late,
      failed: pairFailed,
      cancelled: pairCancelled,
    };
  }

  #until(atMs: number): Promise<void> {
    return this.#t.sleep(atMs - this.#t.clock.now());
  }

  /** When the time of a job may be over at the earliest. */
  #endOf({ job }: Aging): number {
    return job.earliestMs + this.#terms.documentedMs;
  }

  async #held(one: Aging, fresh?: Sighting): Promise<Held> {
    const answered = fresh ?? this.#cohort.fresh.kept;
    await this.#until(this.#endOf(one) - this.#terms.earlyMs(answered.endMs - answered.sentMs));
    const early = await one.look();
    return { aging: one, fresh: answered, early, inTime: early.endMs <= this.#endOf(one) };
  }

  async #read(one: Aging, fresh: Sighting): Promise<Held> {
    for (const ageMs of this.#terms.readings) {
      if (one.job.earliestMs + ageMs < this.#t.clock.now()) continue;
      await this.#until(one.job.earliestMs + ageMs);
      await one.look();
    }
    return this.#held(one, fresh);
  }

  async #asked(): Promise<Asked> {
    const { asked, fresh } = this.#cohort;
    const first = fresh.asked;
    const margin = [first['status-sync'], first.stream].map((one) => this.#terms.earlyMs(one.endMs - one.sentMs));
    await this.#until(this.#endOf(asked) - margin.reduce((sum, ms) => sum + ms, 0));
    const early = await shown(asked.job.jobs, asked.id);
    const found = asked.saw(early.status);
    // The target may have restarted between the answers.
    const after = isRefusal(early['status-sync']) || isRefusal(early.stream) ? await asked.look() : found;
    return { aging: asked, fresh: first, early, after, inTime: early.stream.endMs <= this.#endOf(asked) };
  }

  async #long(attempted: Attempt<Long>) {
    const { aging, fresh } = outcomeOf(attempted);
    const apartMs = aging.job.earliestMs - aging.job.reply.sentMs;
    return { ...(await this.#held(aging, fresh)), apartMs, marginMs: this.#terms.earlyMs(fresh.endMs - fresh.sentMs) };
  }

  /** Twice where the first time everything was gone at once; returns the last witness. */
  async #climb(): Promise<Aging | null> {
    const { steps, sinceMs, witness } = this.#cohort;
    const untilMs = this.#endOf(this.#cohort.kept) - 2 * this.#terms.earlyMs(0);
    const make = (): Promise<Aging> => this.#younger();
    const work = async (): Promise<Aging> => {
      const first = await climb(this.#t, { steps, sinceMs, witness, untilMs, make });
      if (first.end !== 'unsure') return first.witness;
      const younger = await make();
      const again = await this.#cohort.again();
      this.#all.push(...again.map(({ aging }) => aging));
      const second = { steps: again, sinceMs: this.#t.clock.now(), witness: younger, untilMs, make };
      return (await climb(this.#t, second)).witness;
    };
    const done = await attempt(work());
    this.#t.signal.throwIfAborted();
    return 'value' in done ? done.value : null;
  }

  /** Looks at the last witness once the others were looked at, and leaves a younger one for those that come later. */
  async #witness(climbing: Promise<Aging | null>, looked: Promise<unknown>): Promise<Aging | null> {
    const [witness] = await Promise.all([climbing, looked]);
    const younger = await attempt(this.#younger());
    this.#t.signal.throwIfAborted();
    await witness?.look();
    return 'value' in younger ? younger.value : null;
  }

  async #younger(): Promise<Aging> {
    const made = await this.#cohort.left();
    this.#all.push(made);
    return made;
  }

  /** Jobs that did not complete, at the moment at which one that did is asked for; nobody judges them. */
  async #others(jobs: readonly (Submitted | null)[]): Promise<(Reply | null)[]> {
    await this.#until(this.#endOf(this.#cohort.kept) - this.#terms.earlyMs(0));
    return Promise.all(jobs.map((job) => this.#statusOf(job)));
  }

  async #pair(job: Submitted | null, early: Reply | null | undefined): Promise<Pair | null> {
    const late = early ? await this.#statusOf(job) : null;
    return early && late ? { early, late } : null;
  }

  async #statusOf(job: Submitted | null): Promise<Reply | null> {
    const answered = job ? await attempt(job.jobs.status(job.id)) : null;
    this.#t.signal.throwIfAborted();
    return answered && 'value' in answered ? answered.value : null;
  }

  /** Each time another job, until one is gone: the sooner it is, the sooner everybody is done. */
  async #late(): Promise<Late> {
    const { late } = this.#cohort;
    let seen: Late | null = null;
    for (const [index, one] of late.entries()) {
      await this.#until((one.job.latestMs ?? 0) + this.#terms.documentedMs + (this.#terms.lateMs[index] ?? 0));
      const answers = await shown(one.job.jobs, one.id);
      one.saw(answers.status);
      seen = { id: one.id, shown: answers, cancel: await one.job.jobs.cancel(one.id) };
      if (isForgotten(answers)) break;
    }
    return seen ?? this.#t.inconclusive('no job was left to read afterwards', 'run it again');
  }

  #facts(): RetentionFacts {
    const zeroMs = Math.min(...this.#all.map(({ job }) => job.reply.sentMs));
    const { limitId, documentedMs } = this.#terms;
    const jobs = this.#all.map((one) => one.record(zeroMs));
    return { limitId, instId: this.#t.jobs.instId, documentedMs, jobs };
  }
}
