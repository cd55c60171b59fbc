/** The life of a job: an output exactly when it is due, and the times in its record, against those that the client measured. */
import { hasOutput, isFinal, jobIdOf, outputOf, timesOf } from '../../schemas/job-answer.ts';
import { mentions, show } from '../../schemas/json.ts';
import { handlerThat } from '../../schemas/workloads.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { expectSame, requireTime } from '../fixtures/everywhere.ts';
import { courses, type Ending, type Life, lived } from '../fixtures/life.ts';
import { describeOutput } from '../fixtures/quick.ts';
import { describe, durationOf } from '../target/reply.ts';

/** Clocks are read at slightly different moments and rounded. */
const TOLERANCE_MS = 50;
const SYNC_MS = 300;

const requireTimes = (t: CheckContext, body: unknown) => ({
  delayTime: requireTime(t, body, 'delayTime'),
  executionTime: requireTime(t, body, 'executionTime'),
});

/** From the submission to the first response that shows the end: the job's own time lies within. */
function observedMs({ reply, observations, last }: Life): number {
  const end = observations.find(({ state }) => isFinal(state)) ?? last;
  return Math.ceil(end.reply.endMs - reply.sentMs);
}

async function expectPossible(t: CheckContext, ending: Ending): Promise<void> {
  const one = await lived(t, ending);
  const { delayTime, executionTime } = requireTimes(t, one.last.reply.json);
  const most = observedMs(one) + TOLERANCE_MS;
  const reported = `${delayTime} and ${executionTime}`;
  t.expect('delayTime and executionTime together', `at most ${most} ms`, reported, delayTime + executionTime <= most);
}

export const checks: readonly CheckDefinition[] = [
  {
    id: 'status.output-at-end',
    title: 'The first record with COMPLETED has the output',
    clauses: ['status.envelope'],
    async run(t) {
      for (const ending of ['quick', 'slow'] as const) {
        const { observations } = await lived(t, ending);
        const first = observations.find(({ state }) => state === 'completed');
        t.precondition(
          `the handler of a ${ending} job has an output`,
          'an output at the end',
          first ? describe(first.reply) : 'none',
          observations.some(({ reply }) => hasOutput(reply.json)),
        );
        if (!first) continue;
        t.expect(
          `the first complete record of a ${ending} job`,
          'an output',
          describeOutput(first.reply),
          hasOutput(first.reply.json),
        );
      }
    },
  },
  {
    id: 'status.gap.early-output',
    title: 'Output in a record before the job has ended',
    clauses: ['gap.job-record'],
    async run(t) {
      const { observations, word } = await lived(t, 'slow');
      const early = observations.filter(({ state, reply }) => !isFinal(state) && mentions(outputOf(reply.json), word));
      t.note('responses before the end that show the output', `${early.length} of ${observations.length}`);
    },
  },
  {
    id: 'status.times.whole',
    title: 'The times of a job are non-negative integers',
    clauses: ['jobs.whole-times', 'status.times'],
    async run(t) {
      for (const ending of ['quick', 'slow'] as const) {
        const times = requireTimes(t, (await lived(t, ending)).last.reply.json);
        const fine = Object.values(times).every((one) => Number.isInteger(one) && one >= 0);
        t.expect(`the times of a ${ending} job`, 'whole numbers from 0', show(times), fine);
      }
    },
  },
  {
    id: 'status.times.possible',
    title: 'delayTime and executionTime of a job add up to no more than its lifetime',
    clauses: ['status.times'],
    async run(t) {
      await expectPossible(t, 'quick');
      await expectPossible(t, 'slow');
    },
  },
  {
    id: 'status.times.ran',
    title: 'executionTime is the run time of the handler',
    clauses: ['status.times'],
    async run(t) {
      const { observations, last } = await lived(t, 'slow');
      const { executionTime } = requireTimes(t, last.reply.json);
      const running = observations.filter(({ state }) => state === 'running').map(({ reply }) => reply);
      // It ran at least from the first response that showed it running to the last.
      const seenMs = Math.floor((running.at(-1)?.sentMs ?? 0) - (running[0]?.endMs ?? 0));
      t.precondition(
        `a job of ${courses.slow.requestedMs} ms is seen running for a while`,
        `more than ${4 * TOLERANCE_MS} ms`,
        `${seenMs} ms`,
        seenMs > 4 * TOLERANCE_MS,
        handlerThat('waits input.delay_ms'),
      );
      const least = seenMs - TOLERANCE_MS;
      t.expect(
        `executionTime of a job seen running for ${seenMs} ms`,
        `${least} or more`,
        show(executionTime),
        executionTime >= least,
      );
    },
  },
  {
    id: 'runsync.times',
    title: 'The times in a runsync response match its duration and those of status',
    clauses: ['status.times', 'jobs.same-everywhere'],
    async run(t) {
      t.needWorkers();
      const reply = await t.jobs.runsync({ delay_ms: SYNC_MS, echo: t.word() });
      t.requireAnswer('runsync', reply);
      const { delayTime, executionTime } = requireTimes(t, reply.json);
      const most = Math.ceil(durationOf(reply)) + TOLERANCE_MS;
      const reported = `${delayTime} and ${executionTime}`;
      t.expect(
        'delayTime and executionTime together',
        `at most ${most} ms`,
        reported,
        delayTime + executionTime <= most,
      );
      const id = jobIdOf(reply.json);
      if (id === null) return;
      const status = await t.jobs.status(id);
      expectSame(t, { where: 'runsync', reply }, [{ where: 'status', reply: status }], ['times']);
    },
  },
  {
    id: 'status.gap.times-before-end',
    title: 'Times in the records of unfinished, failed and cancelled jobs',
    clauses: ['gap.job-record'],
    async run(t) {
      const { observations } = await lived(t, 'slow');
      const unfinished = observations
        .filter(({ state }) => !isFinal(state))
        .map(({ reply }) => show(timesOf(reply.json)));
      t.note('times before the end', [...new Set(unfinished)].slice(0, 5).join(' ') || 'none');
      for (const ending of ['failing', 'cancelled'] as const) {
        t.note(`times of a ${ending} job`, show(timesOf((await lived(t, ending)).last.reply.json)));
      }
    },
  },
];
