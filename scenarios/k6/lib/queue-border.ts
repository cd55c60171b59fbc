/**
 * The course once `run` was refused: `runsync` is asked at the same length; then jobs of ours are taken out, and each
 * operation is asked with room again and until it is refused again. A refusal that ends with the room and comes back
 * with the length can be no rate limit's and no concurrency limit's, so no idle window has to be waited for; only where
 * room doesn't help is a whole idle window the second test. Pure.
 */
import {
  afterFree,
  type FreeFate,
  type Full,
  type QueueRule,
  type QueueState,
  STOP,
  type Submission,
  type SubmissionFate,
  type SubmitStep,
  submit,
} from './queue-state.ts';

/** `runsync` taken in a row although the queue was full: enough to pass from one reading of the rule to beyond the other. */
const TAKEN_MOST = 3;
const SETBACKS_MOST = 3;

/** What the refusal of `run` turned out to be no matter of: the queue's length. */
export const ELSEWHERE = 'elsewhere';

type Course = QueueState | typeof ELSEWHERE;

/** @param at length at which `run` was refused; null where it was not, however long the queue */
export function startBorder(state: QueueState, at: number | null): QueueState {
  const known = Number.isFinite(state.max) && state.workersHeld;
  const full: Full = { at, room: [], pending: false, taken: 0 };
  if (!known && at !== null) return idle({ ...state, full }, 'run');
  return { ...state, full, next: submit('full', 'runsync') };
}

/** Waits for an idle window and asks the operation again, unless that has been in vain too often. */
export function idle(state: QueueState, refused: Submission): QueueState {
  return { ...state, refused, next: state.setbacks < SETBACKS_MOST ? { kind: 'idle' } : STOP };
}

/**
 * The next step after a submission with `full` or `reopen`.
 * @param before the state in which it was sent
 * @param state the same with the submission counted
 */
export function atBorder(
  before: QueueState,
  state: QueueState,
  rule: QueueRule,
  { phase, operation }: SubmitStep,
  fate: SubmissionFate,
): Course {
  const { full } = state;
  if (!full) return state;
  const known: Situation = { before, state, full, rule, taken: fate === 'accepted' || fate === 'done' };
  const refused = fate === 'refused';
  if (operation === 'runsync') {
    return runsyncAsked({ ...known, taken: known.taken || fate === 'unanswered' }, phase === 'reopen', refused);
  }
  return runAsked(known, phase === 'reopen', refused);
}

/** After a cancellation, for the operation that is to get the room. */
export function afterRoom(before: QueueState, rule: QueueRule, fate: FreeFate): QueueState {
  const state = afterFree(before, fate);
  const { full } = state;
  if (!full) return { ...state, next: STOP };
  const operation = nextForRoom(full);
  if (fate === 'freed') return roomFor(operation, state, full, rule);
  return full.at === null ? { ...state, next: STOP } : idle(state, 'run');
}

interface Situation {
  readonly before: QueueState;
  readonly state: QueueState;
  readonly full: Full;
  readonly rule: QueueRule;
  readonly taken: boolean;
}

function runsyncAsked({ before, state, full, rule, taken }: Situation, withRoom: boolean, refused: boolean): Course {
  if (refused && withRoom) {
    const pending = { ...full, pending: true };
    if (full.at === null) return idle({ ...state, full: pending }, 'runsync');
    return { ...state, full: { ...pending, room: ['runsync', 'run'] }, next: submit('reopen', 'run') };
  }
  if (refused) return full.room.includes('runsync') ? toRun(state, full) : roomFor('runsync', state, full, rule);
  const early = full.at !== null && full.at < rule.border;
  const short = before.min <= rule.border && full.taken + 1 < TAKEN_MOST;
  if (!taken || !(early ? withRoom : short)) return toRun(state, full);
  return { ...state, full: { ...full, taken: full.taken + 1 }, next: submit('full', 'runsync') };
}

function toRun(state: QueueState, full: Full): QueueState {
  const next = full.at === null ? STOP : submit('full', 'run');
  return { ...state, full: { ...full, taken: 0, room: ['runsync'] }, next };
}

function runAsked({ before, state, full, rule, taken }: Situation, withRoom: boolean, refused: boolean): Course {
  const at = full.at ?? state.max;
  if (refused && withRoom) return idle(state, 'run');
  if (refused && full.room.includes('run')) return proven(state, full);
  if (refused) return roomFor('run', state, full, rule);
  if (!taken) return idle(state, 'run');
  return before.max >= at ? ELSEWHERE : { ...state, next: submit('full', 'run') };
}

/** Both are done, but for a `runsync` that was refused where it should not have been. */
function proven(state: QueueState, full: Full): QueueState {
  return full.pending ? idle(state, 'runsync') : { ...state, next: STOP };
}

const nextForRoom = (full: Full): Submission => (full.room.includes('runsync') ? 'run' : 'runsync');

/**
 * One below the border at most, since nobody may refuse there; where it was refused earlier, one below that. A queue
 * that is never refused is shortened just the same, for `runsync`.
 */
function roomFor(operation: Submission, state: QueueState, full: Full, { border }: QueueRule): QueueState {
  const target = Math.min(border, full.at ?? border) - 1;
  if (target < 0 || !Number.isFinite(state.max))
    return full.at === null ? { ...state, next: STOP } : idle(state, 'run');
  if (state.max > target) return { ...state, next: { kind: 'free' } };
  const room = [...full.room.filter((one) => one !== operation), operation];
  return { ...state, full: { ...full, room, taken: 0 }, next: submit('reopen', operation) };
}
