/** The states of a job from its submission to its end: in one direction only, and an output exactly when it is due. */
import { type Check, check } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { type Ending, type Life, life, lived } from '../flows/life.ts';
import type { Seen } from '../flows/submit.ts';
import { isFinal, type JobState, outputOf } from '../reading/job.ts';
import { at, mentions, saysSomething } from '../reading/json.ts';
import { describe, isOk } from '../target/reply.ts';

const on = 'jobs';
const RANKS: readonly (readonly JobState[])[] = [
  ['queued'],
  ['running'],
  ['completed', 'failed', 'cancelled', 'timed-out'],
];

const hasOutput = ({ reply }: Seen): boolean => saysSomething(outputOf(reply.json));
const rankOf = (state: JobState): number => RANKS.findIndex((one) => one.includes(state));

/** A worker that was lost makes its job start again, which a service may say and nobody can hold against it. */
const startedAgain = ({ looks }: Life): boolean => looks.some(({ reply }) => Number(at(reply.json, 'retries')) > 0);

/** Every look is at the state of the look before, or at a later one; once at an end, always at this end. */
function expectForward(t: CheckContext, one: Life): void {
  if (startedAgain(one)) t.inconclusive('the job was started again', 'run it while no worker is lost');
  const states = one.looks.flatMap(({ reply, state }) => (isOk(reply) && state !== 'unknown' ? [state] : []));
  const last = states.at(-1);
  t.require(last !== undefined && isFinal(last), 'ground', {
    what: 'the states of the job can be read, up to its end',
    expected: 'a final state',
    observed: describe(one.last.reply),
  });
  const back = states.findIndex((state, index) => {
    const before = states[index - 1];
    return before !== undefined && (rankOf(state) < rankOf(before) || (isFinal(before) && state !== before));
  });
  const moves = states.filter((state, index) => state !== states[index - 1]).join(', ');
  t.expect(`the states in ${one.looks.length} looks`, 'one after the other, none back', moves, back < 0);
}

const TITLES: Readonly<Record<Ending, string>> = {
  quick: 'The state of a quick job only moves forward',
  slow: 'The state of a job that takes a while only moves forward',
  failing: 'The state of a job that fails only moves forward',
  streaming: 'The state of a job that streams only moves forward',
  cancelled: 'The state of a cancelled job only moves forward, also past the end it would have had',
};

const endings = Object.keys(TITLES) as readonly Ending[];

const forward = endings.map((ending) =>
  check(
    { id: `status.forward.${ending}`, title: TITLES[ending], clauses: ['jobs.forward', 'jobs.states'], on },
    async (t) => expectForward(t, await life(t, ending)),
  ),
);

export const checks: readonly Check[] = [
  ...forward,
  check(
    {
      id: 'status.output-at-end',
      title: 'The first record that says COMPLETED has the output',
      clauses: ['status.envelope'],
      on,
    },
    async (t) => {
      for (const ending of ['quick', 'slow'] as const) {
        const { looks } = await lived(t, ending);
        const first = looks.find(({ state }) => state === 'completed');
        t.require(looks.some(hasOutput), 'ground', {
          what: `the handler of a ${ending} job has an output`,
          expected: 'an output in the end',
          observed: first ? describe(first.reply) : 'none',
        });
        if (!first) continue;
        t.expect(`the first complete record of a ${ending} job`, 'an output', describe(first.reply), hasOutput(first));
      }
    },
  ),
  check(
    {
      id: 'status.gap.early-output',
      title: 'Whether a record shows an output before the job has ended',
      clauses: ['gap.job-record'],
      on,
    },
    async (t) => {
      const { looks, word } = await lived(t, 'slow');
      const early = looks.filter(({ state, reply }) => !isFinal(state) && mentions(outputOf(reply.json), word));
      t.note('looks before the end that show the output', `${early.length} of ${looks.length}`);
    },
  ),
];
