/** Whether the states of a job, look by look, lead in one direction. */
import type { CheckContext } from '../context.ts';
import { isFinal, type JobState } from '../reading/job.ts';
import { at } from '../reading/json.ts';
import { describe, isOk } from '../target/reply.ts';
import type { Seen } from './submit.ts';

const RANKS: readonly (readonly JobState[])[] = [
  ['queued'],
  ['running'],
  ['completed', 'failed', 'cancelled', 'timed-out'],
];

const rankOf = (state: JobState): number => RANKS.findIndex((one) => one.includes(state));

/** A worker that was lost makes its job start again, which a service may say and nobody can hold against it. */
const startedAgain = (looks: readonly Seen[]): boolean =>
  looks.some(({ reply }) => Number(at(reply.json, 'retries')) > 0);

/** Every look is at the state of the look before, or at a later one; once at an end, always at this end. */
export function expectForward(t: CheckContext, looks: readonly Seen[]): void {
  if (startedAgain(looks)) t.inconclusive('the job was started again', 'run it while no worker is lost');
  const states = looks.flatMap(({ reply, state }) => (isOk(reply) && state !== 'unknown' ? [state] : []));
  const last = looks.at(-1);
  t.ground(
    'the states of the job can be read, up to its end',
    'a final state',
    last ? describe(last.reply) : 'no look',
    states.some(isFinal),
  );
  t.ground('the job is seen to move', 'two different states', String(states[0]), new Set(states).size > 1);
  const back = states.findIndex((state, index) => {
    const before = states[index - 1];
    return before !== undefined && (rankOf(state) < rankOf(before) || (isFinal(before) && state !== before));
  });
  const moves = states.filter((state, index) => state !== states[index - 1]).join(', ');
  t.expect(`the states in ${looks.length} responses`, 'each later than the one before', moves, back < 0);
}
