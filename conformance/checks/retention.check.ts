/**
 * How long status shows a finished job. All of it rests on one wait for each kind of job, described in
 * fixtures/retention/watch.ts.
 */
import { documentedTable } from '../../schemas/limits.ts';
import { retentionOf, subjects } from '../../schemas/retention.ts';
import type { CheckDefinition } from '../check.ts';
import { expectHeld, requireForgotten, requireSeen } from '../fixtures/retention/requirements.ts';
import { outcomeOf } from '../fixtures/retention/routes.ts';
import { LATE_SHARE } from '../fixtures/retention/terms.ts';
import { watched } from '../fixtures/retention/watch.ts';
import { isRefusal, REFUSAL } from '../reading/refusal.ts';
import { describe } from '../target/reply.ts';

/** On top of the documented time: the load that runs during it, and a request well after the end. */
const PATIENCE_MS = 60 * 60_000;

export const checks: readonly CheckDefinition[] = subjects.flatMap((subject): CheckDefinition[] => {
  const timeoutMs = retentionOf(documentedTable, subject) * 1.5 + PATIENCE_MS;
  const common = { needs: ['patience'], longWait: subject, timeoutMs } as const;
  return [
    {
      id: `${subject}.retention.guarantee`,
      title: `A finished ${subject} job is available during its documented retention`,
      clauses: [`${subject}.retention`],
      ...common,
      async run(t) {
        const watch = await watched(t, subject, 'assertion');
        expectHeld(t, watch, 'the job', watch.kept);
        // A single one may never have been known: whether jobs are lost is the subject of other checks.
        if (watch.untouched.every(({ early }) => early.answer !== 'there')) {
          for (const one of watch.untouched) expectHeld(t, watch, 'a job that was not read before', one);
        }
      },
    },
    {
      id: `${subject}.retention.from-end`,
      title: `The retention of a ${subject} job starts at its end, not at its submission`,
      clauses: [`${subject}.retention`],
      ...common,
      async run(t) {
        const watch = await watched(t, subject);
        const long = outcomeOf(watch.long);
        // Otherwise one that counts from the submission would be in time as well.
        t.precondition(
          'the job ran for longer than responses take',
          `more than ${Math.round(long.marginMs)} ms`,
          `${Math.round(long.apartMs)} ms`,
          long.apartMs > long.marginMs,
        );
        expectHeld(t, watch, 'the job', long);
      },
    },
    {
      id: `${subject}.retention.enforced`,
      title: `A finished ${subject} job is removed after its documented retention`,
      clauses: [`${subject}.retention`, 'jobs.expired'],
      level: 'convention',
      because: 'the job is documented to be available until then, not to be deleted afterwards',
      ...common,
      async run(t) {
        const watch = await watched(t, subject);
        requireSeen(t, watch.kept.fresh);
        requireForgotten(t, watch);
        const { status } = outcomeOf(watch.late).shown;
        const what = `a job at most ${LATE_SHARE * 100} % after ${watch.terms.words}`;
        t.expect(what, REFUSAL, describe(status), isRefusal(status));
      },
    },
    {
      id: `${subject}.retention.read`,
      title: `Status requests do not shorten the retention of a finished ${subject} job`,
      clauses: [`${subject}.retention`],
      ...common,
      async run(t) {
        const watch = await watched(t, subject);
        expectHeld(t, watch, 'the job', watch.read);
      },
    },
  ];
});
