/**
 * How long a finished job stays available. Its completion is known as an interval: not before it was submitted, not
 * after it was seen complete. The guarantee is looked at just before the documented time since the earliest moment, the
 * end just after it since the latest. Nothing is asked in between, since asking might prolong it.
 */
import { limitFor } from '../../schemas/limits.ts';
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { finish, type Submitted, submit } from '../flows/submit.ts';
import { jobIdOf, outputOf } from '../reading/job.ts';
import { saysSomething } from '../reading/json.ts';
import { describe, isOk } from '../target/reply.ts';

const on = 'jobs';
/** How long before the end is asked: a few round trips, so that the answer comes in time, and no longer than needed. */
const EARLY_MS = { least: 250, most: 2000, roundTrips: 5 } as const;
/** Two clocks may part by so much of the time they measure: the target's may be quick by what ours is slow. */
const DRIFT = 0.0002;
const LATE_SHARE = 0.1;
const MINUTES_MS = 60_000;

interface Finished extends Submitted {
  readonly earliestMs: number;
  readonly latestMs: number;
}

const subjects = {
  async run(t: CheckContext): Promise<Finished> {
    const job = await submit(t, { echo: t.word() });
    const seen = await finish(t, job);
    return { ...job, earliestMs: job.reply.sentMs, latestMs: seen.reply.endMs };
  },
  async runsync(t: CheckContext): Promise<Finished> {
    t.needWorkers();
    const reply = await t.jobs.runsync({ echo: t.word() });
    t.requireOk(reply);
    const id = jobIdOf(reply.json);
    if (id === null) return t.notObservable('a job id in the answer of runsync, to look the job up by later');
    t.require(saysSomething(outputOf(reply.json)), 'ground', {
      what: 'the job ended',
      expected: 'a result',
      observed: describe(reply),
    });
    return { id, reply, jobs: t.jobs, earliestMs: reply.sentMs, latestMs: reply.endMs };
  },
};
type Subject = keyof typeof subjects;

const documentedMs = (subject: Subject): number => limitFor('retention', subject)?.value ?? 0;

/** A job that was available while fresh; `run.retention` would otherwise be failed by a job that never was. */
async function available(t: CheckContext, subject: Subject): Promise<Finished & { readonly earlyMs: number }> {
  const job = await subjects[subject](t);
  const fresh = await t.jobs.status(job.id);
  t.requireOk(fresh);
  const wanted = (fresh.endMs - fresh.sentMs) * EARLY_MS.roundTrips;
  const trips = Math.min(EARLY_MS.most, Math.max(EARLY_MS.least, wanted));
  return { ...job, earlyMs: trips + documentedMs(subject) * DRIFT };
}

export const checks: readonly Check[] = (Object.keys(subjects) as Subject[]).flatMap((subject) => {
  const value = documentedMs(subject);
  const words = `${value / 1000} s`;
  const common = { on, needs: ['patience'], timeoutMs: value * 1.5 + 5 * MINUTES_MS } as const;
  return [
    check(
      {
        id: `${subject}.retention.guarantee`,
        title: `A finished ${subject} job is available for as long as documented`,
        clauses: [`${subject}.retention`],
        ...common,
      },
      async (t) => {
        const job = await available(t, subject);
        await t.sleep(job.earliestMs + value - job.earlyMs - t.clock.now());
        const reply = await t.jobs.status(job.id);
        if (reply.endMs > job.earliestMs + value) {
          t.inconclusive(`the answer came after ${words}`, 'run it again where round trips are shorter');
        }
        t.expect(`the job just before ${words}`, 'available', describe(reply), isOk(reply));
      },
    ),
    check(
      {
        id: `${subject}.retention.enforced`,
        title: `A finished ${subject} job is gone after the documented time`,
        clauses: [`${subject}.retention`, 'jobs.expired'],
        level: 'convention',
        because: 'that it is available until then is promised, that it is gone afterwards is not',
        ...common,
      },
      async (t) => {
        const job = await available(t, subject);
        await t.sleep(job.latestMs + value * (1 + LATE_SHARE) - t.clock.now());
        const reply = await t.jobs.status(job.id);
        t.expect(`the job ${LATE_SHARE * 100} % after ${words}`, '404', describe(reply), reply.status === 404);
      },
    ),
  ];
});
