/** cancel in every state of a job: what it stops, what it leaves alone, and how soon it answers. */
import { notUnderstood, outputOf, stateOf, stateWordOf } from '../../schemas/job-answer.ts';
import { mentions, show } from '../../schemas/json.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { cancelEnded, siblings } from '../fixtures/cancels.ts';
import { expectSame, type Part } from '../fixtures/everywhere.ts';
import { courses, type Ending, life } from '../fixtures/life.ts';
import { isStopped, ranAtLeastMs, submit } from '../fixtures/submit.ts';
import { describe, durationOf, isOk } from '../target/reply.ts';

/** As long as clients wait for an answer of cancel, milliseconds. */
const PROMPT_MS = 3000;
const SHORT_MS = 300;

/** A job that has ended stays as it is: state, output, error and times, by status and by status-sync. */
async function expectUntouched(t: CheckContext, ending: Ending, parts: readonly Part[]): Promise<void> {
  const { answer, observations } = await cancelEnded(t, ending);
  t.assertion('cancel of a job that has ended', 'no 5xx', describe(answer), answer.status < 500);
  for (const { where, before, after } of observations)
    expectSame(t, { where: `${where} before`, reply: before }, [{ where, reply: after }], parts);
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'cancel.stays',
    title: 'A cancelled job stays CANCELLED past the time at which it would have completed',
    clauses: ['cancel.cancels'],
    async run(t) {
      const { last, observations, before, word } = await life(t, 'cancelled');
      const completed = last.state === 'completed' || mentions(outputOf(last.reply.json), word);
      const words = notUnderstood(before.at(-1)?.reply.json);
      if (words !== null) {
        t.inconclusive(`it is not known whether the job ran when it was cancelled: ${words}`, 'see run.final-state');
      }
      if (before.some(({ reply }) => mentions(outputOf(reply.json), word))) {
        t.inconclusive('the job had its result before it was cancelled', 'see status.follows');
      }
      const running = before.find(({ state }) => state === 'running');
      const ranMs = ranAtLeastMs(observations);
      // One that ended before its time may have done so before it was cancelled.
      const judged =
        observations.some(({ state }) => state === 'cancelled') || ranMs >= courses.cancelled.requestedMs * 0.8;
      t.precondition(
        `a job of ${courses.cancelled.requestedMs} ms is running when it is cancelled`,
        'running, and not completed too early',
        running ? `seen to run for ${ranMs} ms` : 'never seen running',
        running !== undefined && (judged || !completed),
        handlerThat('waits input.delay_ms'),
      );
      const when = `${courses.cancelled.requestedMs} ms later`;
      t.expect(`the cancelled job ${when}`, 'not completed, without an output', describe(last.reply), !completed);
    },
  },
  {
    id: 'cancel.sibling',
    title: 'cancel of one job does not affect another running job',
    clauses: ['cancel.cancels', 'jobs.id-in-paths'],
    early: true,
    async run(t) {
      const { answers, sibling } = await siblings(t);
      t.precondition(
        'cancel of a running job succeeds',
        'a status 2xx',
        answers.map(describe).join(' and '),
        answers.some(isOk),
      );
      if (sibling.state === 'failed' || sibling.state === 'timed-out') {
        t.inconclusive(`the other job did not complete: ${describe(sibling.reply)}`, 'see run.completes');
      }
      t.expect('the other job', 'not cancelled', describe(sibling.reply), sibling.state !== 'cancelled');
    },
  },
  {
    id: 'cancel.at-once',
    title: 'Two concurrent cancels of one job cancel it and never return 5xx',
    clauses: ['cancel.finished'],
    early: true,
    async run(t) {
      const { answers, victimAfter } = await siblings(t);
      for (const answer of answers) t.expect('the answer', 'no 5xx', describe(answer), answer.status < 500);
      t.expect('one of them', 'a status 2xx', answers.map(describe).join(' and '), answers.some(isOk));
      const { state } = victimAfter;
      const gone = victimAfter.reply.status === 404 || victimAfter.reply.status === 410;
      if (!gone && (state === 'completed' || state === 'unknown')) {
        t.inconclusive(`it is not known whether it was stopped: ${describe(victimAfter.reply)}`, 'see cancel.running');
      }
      const stopped = gone || isStopped(victimAfter);
      t.expect('the job', 'cancelled', describe(victimAfter.reply), stopped);
    },
  },
  {
    id: 'cancel.prompt',
    title: 'cancel responds within seconds for waiting, running and finished jobs',
    clauses: ['cancel.prompt'],
    early: true,
    async run(t) {
      const replies = [
        ['a running job', (await siblings(t)).answers[0]],
        ['a completed job', (await cancelEnded(t, 'quick')).answer],
        ['a failed job', (await cancelEnded(t, 'failing')).answer],
      ] as const;
      for (const [what, reply] of replies) {
        if (reply === undefined || reply.status >= 500) continue;
        const took = Math.round(durationOf(reply));
        t.expect(`cancel of ${what}`, `a response within ${PROMPT_MS} ms`, `${took} ms`, took <= PROMPT_MS);
      }
      t.precondition('cancel responds', 'at least once', 'only 5xx', t.expectations.length > 0);
    },
  },
  {
    id: 'cancel.finished.record',
    title: 'cancel of a completed job does not change its record or its times',
    clauses: ['cancel.finished', 'jobs.final-state-stays'],
    run: (t) => expectUntouched(t, 'quick', ['id', 'state', 'output', 'times']),
  },
  {
    id: 'cancel.failed',
    title: 'cancel of a failed job does not change its state or its error',
    clauses: ['status.job-status', 'cancel.finished', 'jobs.final-state-stays'],
    run: (t) => expectUntouched(t, 'failing', ['id', 'state', 'error']),
  },
  {
    id: 'cancel.again',
    title: 'cancel of a cancelled job does not change its state',
    clauses: ['status.job-status', 'cancel.finished', 'jobs.final-state-stays'],
    run: (t) => expectUntouched(t, 'cancelled', ['id', 'state']),
  },
  {
    id: 'cancel.finished.answer',
    title: 'cancel reports a finished job in the state that status reports',
    clauses: ['cancel.finished'],
    async run(t) {
      for (const ending of ['quick', 'failing'] as const) {
        const { answer, observations } = await cancelEnded(t, ending);
        const [said, is] = [stateOf(answer.json), stateOf(observations[0]?.after.json)];
        if (!isOk(answer) || said === 'unknown' || is === 'unknown') continue;
        t.expect(`cancel of a ${ending} job`, `${is}, as status reports it`, describe(answer), said === is);
      }
      if (t.expectations.length === 0) t.notObservable('a service whose cancel names the state of a finished job');
    },
  },
  {
    id: 'cancel.empty-object',
    title: 'cancel accepts an empty object as the body',
    clauses: ['cancel.empty-object'],
    async run(t) {
      t.needWorkers();
      const job = await submit(t, { delay_ms: SHORT_MS, echo: t.word() });
      const reply = await t.jobs.call('cancel', { jobId: job.id }, {});
      const bare = isOk(reply) ? reply : await t.jobs.cancel(job.id);
      t.requireAnswer('cancel', bare);
      t.expectOk(reply);
    },
  },
  {
    id: 'cancel.gap.ended',
    title: 'Response of cancel for jobs that have ended',
    clauses: ['gap.cancel-response'],
    async run(t) {
      for (const ending of ['quick', 'failing', 'cancelled'] as const) {
        const { answer } = await cancelEnded(t, ending);
        const words = `${describe(answer)} (${show(stateWordOf(answer.json))}, read as ${stateOf(answer.json)})`;
        t.note(`cancel of a ${ending} job`, words);
      }
    },
  },
];
