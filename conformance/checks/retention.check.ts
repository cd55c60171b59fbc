/**
 * How long a finished job stays available by status. Nothing is asked in between, since asking might prolong it; how
 * the two moments are found is told in flows/aged.ts.
 */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import {
  documentedMs,
  type Ended,
  earlyMs,
  guaranteedMs,
  justEnded,
  LATE_SHARE,
  longEnded,
  overMs,
  type Subject,
} from '../flows/aged.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe, isOk } from '../target/reply.ts';

const MINUTES_MS = 60_000;

/** A job that was available while fresh; `run.retention` would otherwise be failed by a job that never was. */
async function available(t: CheckContext, subject: Subject, job: Ended): Promise<number> {
  const fresh = await t.jobs.status(job.id);
  t.requireOk(fresh);
  return earlyMs(fresh, subject);
}

async function expectKept(t: CheckContext, subject: Subject, job: Ended): Promise<void> {
  const words = `${documentedMs(subject) / 1000} s`;
  const early = await available(t, subject, job);
  await t.sleep(guaranteedMs(job, subject) - early - t.clock.now());
  const reply = await t.jobs.status(job.id);
  if (reply.endMs > guaranteedMs(job, subject)) {
    t.inconclusive(`the answer came after ${words}`, 'run it again where round trips are shorter');
  }
  t.expect(`the job just before ${words}`, 'available', describe(reply), isOk(reply));
}

export const checks: readonly Check[] = (['run', 'runsync'] as const).flatMap((subject) => {
  const value = documentedMs(subject);
  const common = { on: 'jobs', needs: ['patience'], timeoutMs: value * 1.5 + 5 * MINUTES_MS } as const;
  return [
    check(
      {
        id: `${subject}.retention.guarantee`,
        title: `A finished ${subject} job is available for as long as documented`,
        clauses: [`${subject}.retention`],
        ...common,
      },
      async (t) => expectKept(t, subject, await justEnded(t, subject)),
    ),
    check(
      {
        id: `${subject}.retention.from-end`,
        title: `The time of a ${subject} job that ran long begins at its end, not at its submission`,
        clauses: [`${subject}.retention`],
        ...common,
      },
      async (t) => {
        const job = await longEnded(t, subject);
        const early = await available(t, subject, job);
        // Otherwise one that counts from the submission would be in time as well.
        const apart = job.earliestMs - job.reply.sentMs;
        t.require(apart > early, 'ground', {
          what: 'the job ran for longer than the answers take',
          expected: `more than ${Math.round(early)} ms`,
          observed: `${Math.round(apart)} ms`,
        });
        await expectKept(t, subject, job);
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
        const job = await justEnded(t, subject);
        await available(t, subject, job);
        await t.sleep(overMs(job, subject) - t.clock.now());
        const reply = await t.jobs.status(job.id);
        const what = `the job ${LATE_SHARE * 100} % after ${value / 1000} s`;
        t.expect(what, REFUSAL, describe(reply), isRefusal(reply));
      },
    ),
  ];
});
