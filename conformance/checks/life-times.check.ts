/**
 * The times in a record, against what the client itself measured: a job can't have waited and run for longer than from
 * its submission to the first look that showed its end.
 */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { courses, type Ending, type Life, lived } from '../flows/life.ts';
import { isFinal, timesOf } from '../reading/job.ts';
import { show } from '../reading/json.ts';
import type { Reply } from '../target/reply.ts';

const on = 'jobs';
/** Clocks are read at slightly different moments and rounded. */
const TOLERANCE_MS = 50;
const SYNC_MS = 300;

interface Times {
  readonly delayTime: number;
  readonly executionTime: number;
}

/** Ground for all that follows: that they are there at all is asked by status.times. */
function requireTimes(t: CheckContext, reply: Reply): Times {
  const { delayTime, executionTime } = timesOf(reply.json);
  if (typeof delayTime === 'number' && typeof executionTime === 'number') return { delayTime, executionTime };
  return t.inconclusive('the record does not say how long the job waited and ran', 'see status.times');
}

/** From the submission to the first look that shows the end: the job's own time lies within. */
function observedMs({ reply, looks, last }: Life): number {
  const end = looks.find(({ state }) => isFinal(state)) ?? last;
  return Math.ceil(end.reply.endMs - reply.sentMs);
}

async function expectPossible(t: CheckContext, ending: Ending): Promise<void> {
  const one = await lived(t, ending);
  const { delayTime, executionTime } = requireTimes(t, one.last.reply);
  const most = observedMs(one) + TOLERANCE_MS;
  const told = `${delayTime} and ${executionTime}`;
  t.expect('delayTime and executionTime together', `at most ${most} ms`, told, delayTime + executionTime <= most);
}

export const checks: readonly Check[] = [
  check(
    {
      id: 'status.times.whole',
      title: 'The times of a job are whole numbers, none below zero',
      clauses: ['jobs.whole-times', 'status.times'],
      on,
    },
    async (t) => {
      for (const ending of ['quick', 'slow'] as const) {
        const times = requireTimes(t, (await lived(t, ending)).last.reply);
        const fine = Object.values(times).every((one) => Number.isInteger(one) && one >= 0);
        t.expect(`the times of a ${ending} job`, 'whole numbers from 0', show(times), fine);
      }
    },
  ),
  check(
    {
      id: 'status.times.possible',
      title: 'A job does not say that it waited and ran for longer than it was there',
      clauses: ['status.times'],
      on,
    },
    async (t) => {
      await expectPossible(t, 'quick');
      await expectPossible(t, 'slow');
    },
  ),
  check(
    {
      id: 'status.times.ran',
      title: 'executionTime is the time that the handler worked',
      clauses: ['status.times'],
      on,
    },
    async (t) => {
      const one = await lived(t, 'slow');
      const { executionTime } = requireTimes(t, one.last.reply);
      const least = courses.slow.askedMs;
      const running = one.looks.filter(({ state }) => state === 'running').length;
      t.require(observedMs(one) >= least && running > 0, 'ground', {
        what: `a job of ${least} ms is seen running`,
        expected: `${least} ms or more, with a look in between`,
        observed: `${observedMs(one)} ms, ${running} looks`,
        remedy: 'deploy a handler that waits input.delay_ms',
      });
      const seen = `${least - TOLERANCE_MS} ms or more`;
      t.expect(
        `executionTime of a job of ${least} ms`,
        seen,
        show(executionTime),
        executionTime >= least - TOLERANCE_MS,
      );
    },
  ),
  check(
    {
      id: 'runsync.times',
      title: 'The times in the answer of runsync fit how long it took',
      clauses: ['status.times'],
      on,
    },
    async (t) => {
      t.needWorkers();
      const reply = await t.jobs.runsync({ delay_ms: SYNC_MS, echo: t.word() });
      t.requireAnswer('runsync', reply);
      const { delayTime, executionTime } = requireTimes(t, reply);
      const took = Math.ceil(reply.endMs - reply.sentMs);
      t.require(took >= SYNC_MS, 'ground', {
        what: 'the handler waits',
        expected: `${SYNC_MS} ms or more`,
        observed: `${took} ms`,
        remedy: 'deploy a handler that waits input.delay_ms',
      });
      const fits = delayTime + executionTime <= took + TOLERANCE_MS && executionTime >= SYNC_MS - TOLERANCE_MS;
      const expected = `${SYNC_MS} ms at work, at most ${took} ms in all`;
      t.expect('delayTime and executionTime', expected, `${delayTime} and ${executionTime}`, fits);
    },
  ),
  check(
    {
      id: 'status.gap.times-before-end',
      title: 'Which times a record shows before the job has ended, and those of jobs that end otherwise',
      clauses: ['gap.job-record'],
      on,
    },
    async (t) => {
      const { looks } = await lived(t, 'slow');
      const unfinished = looks.filter(({ state }) => !isFinal(state)).map(({ reply }) => show(timesOf(reply.json)));
      t.note('times before the end', [...new Set(unfinished)].slice(0, 5).join(' ') || 'none');
      for (const ending of ['failing', 'cancelled'] as const) {
        t.note(`times of a ${ending} job`, show(timesOf((await lived(t, ending)).last.reply.json)));
      }
    },
  ),
];
