/**
 * Filling a queue up to and beyond its border, step by step. Pure, so that every course can be tested without k6: from
 * the outcome of the last step, it returns the next step and what is known of the queue's length.
 */
import {
  afterFree,
  afterSubmission,
  capped,
  type FreeFate,
  type Full,
  type QueueRule,
  type QueueState,
  type QueueStep,
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
const ELSEWHERE = 'elsewhere';

type Course = QueueState | typeof ELSEWHERE;

/**
 * The course once `run` was refused: `runsync` is sent at the same length; then jobs of ours are taken out, and each
 * operation is sent with room again and until it is refused again. A refusal that ends with the room and returns with
 * the length can be no rate limit's and no concurrency limit's, so no idle window is needed; only where room doesn't
 * help is a whole idle window the second test.
 * @param at length at which `run` was refused; null where it was not, at any length
 */
function startBorder(state: QueueState, at: number | null): QueueState {
  const known = Number.isFinite(state.max) && state.workersHeld;
  const full: Full = { at, room: [], pending: false, taken: 0 };
  if (!known && at !== null) return idle({ ...state, full }, 'run');
  return { ...state, full, next: submit('full', 'runsync') };
}

/** Waits for an idle window and retries the operation, unless that has been in vain too often. */
function idle(state: QueueState, refused: Submission): QueueState {
  return { ...state, refused, next: state.setbacks < SETBACKS_MOST ? { kind: 'idle' } : STOP };
}

/**
 * The next step after a submission with `full` or `reopen`.
 * @param before the state in which it was sent
 * @param state the same with the submission counted
 */
function atBorder(
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
    return runsyncSent({ ...known, taken: known.taken || fate === 'unanswered' }, phase === 'reopen', refused);
  }
  return runSent(known, phase === 'reopen', refused);
}

/** After a cancellation, for the operation that is to get the room. */
function afterRoom(before: QueueState, rule: QueueRule, fate: FreeFate): QueueState {
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

function runsyncSent({ before, state, full, rule, taken }: Situation, withRoom: boolean, refused: boolean): Course {
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

function runSent({ before, state, full, rule, taken }: Situation, withRoom: boolean, refused: boolean): Course {
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
 * One below the border at most, since a refusal there is wrong; where it was refused earlier, one below that. A queue
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

/** Accepted beyond the border before it is taken for not enforced; "after insertion" and races need a few. */
const BEYOND_BORDER = 6;
const GIVE_UP_AFTER = 3;
const RUN = submit('fill', 'run');

/** What is known after `state.next`; `fate` is ignored after `idle`. */
export function advance(state: QueueState, rule: QueueRule, fate: SubmissionFate | FreeFate): QueueState {
  return capped(advanced(state, rule, fate), rule);
}

function advanced(state: QueueState, rule: QueueRule, fate: SubmissionFate | FreeFate): QueueState {
  const step = state.next;
  if (step.kind === 'stop') return state;
  if (step.kind === 'idle') return { ...state, next: submit('retry', state.refused) };
  if (step.kind === 'free') return afterRoom(state, rule, fate === 'freed' ? fate : 'not-freed');
  return submitted(state, rule, step, fate === 'freed' || fate === 'not-freed' ? 'other' : fate);
}

function submitted(before: QueueState, rule: QueueRule, step: SubmitStep, fate: SubmissionFate): QueueState {
  const state = afterSubmission(before, step.operation, fate);
  switch (step.phase) {
    case 'retry':
      return afterRetry(state, step, fate, rule);
    case 'fill':
      return afterFill(state, step, fate, rule);
    default: {
      const course = atBorder(before, state, rule, step, fate);
      return course === ELSEWHERE ? setBack(state, rule) : course;
    }
  }
}

function afterFill(state: QueueState, { operation }: SubmitStep, fate: SubmissionFate, rule: QueueRule): QueueState {
  if (fate !== 'refused') return continued(state, rule);
  return operation === 'run' ? startBorder(state, state.max) : idle(state, 'runsync');
}

/** A refusal of `run` that outlasts an idle window is the queue's: `runsync` is sent too, and that is all. */
function afterRetry(state: QueueState, { operation }: SubmitStep, fate: SubmissionFate, rule: QueueRule): QueueState {
  if (operation === 'runsync') return state.full ? { ...state, next: STOP } : continued(state, rule);
  return fate === 'refused' ? { ...state, next: submit('retry', 'runsync') } : setBack(state, rule);
}

/** Something else than the queue refused: the filling goes on, slower and one by one. */
function setBack(state: QueueState, rule: QueueRule): QueueState {
  return continued({ ...state, full: null, setbacks: state.setbacks + 1, slowdown: state.slowdown * 2 }, rule);
}

/** `runsync` is sent once on the way, and at the border when `run` is refused, or is not. */
function continued(state: QueueState, { border, runsyncAt }: QueueRule): QueueState {
  if (state.unknown >= GIVE_UP_AFTER) return puzzled(state, border);
  if (state.accepted >= border + BEYOND_BORDER) return startBorder(state, null);
  const isDue = !state.runsyncTried && runsyncAt !== undefined && state.accepted >= runsyncAt;
  return { ...state, next: isDue ? submit('fill', 'runsync') : RUN };
}

/** Responses that are neither, beyond the border: retried after an idle window, since a gateway may have sent them. */
function puzzled(state: QueueState, border: number): QueueState {
  return state.min > border && state.setbacks === 0 ? idle(state, 'run') : { ...state, next: STOP };
}

/**
 * The same for several `run` submitted at the same time. At most one refusal counts: the others of the same moment say
 * nothing more, and the first is tried again.
 */
export function advanceTogether(state: QueueState, rule: QueueRule, fates: readonly SubmissionFate[]): QueueState {
  const others = fates.filter((fate) => fate !== 'refused');
  let now = state;
  for (const fate of others) now = { ...afterSubmission(now, 'run', fate), next: RUN };
  const refused = fates.length - others.length;
  if (refused === 0) return capped(continued(now, rule), rule);
  const sent = { ...now.sent, run: now.sent.run + refused - 1 };
  return advance({ ...now, sent, next: RUN }, rule, 'refused');
}

/** Near the borders each one is submitted by itself, so that the queue before it is known exactly. */
const ONE_BY_ONE_WITHIN = 10;

/**
 * How many `run` to submit at the same time, so that a target that takes `latencyMs` for each is still filled at one
 * every `periodMs`; 1 wherever the queue must be known to the job, or where something else than the queue refuses.
 */
export function submitTogether(state: QueueState, rule: QueueRule, latencyMs: number, periodMs: number): number {
  const { border, runsyncAt, together } = rule;
  if (!isPlainRun(state.next) || state.unknown > 0 || state.setbacks > 0) return 1;
  const toRunsync = state.runsyncTried || runsyncAt === undefined ? together : runsyncAt - state.accepted;
  const room = Math.min(border - ONE_BY_ONE_WITHIN - state.max, toRunsync);
  return Math.max(1, Math.min(Math.ceil(latencyMs / periodMs), room, together));
}

const isPlainRun = (next: QueueStep): boolean =>
  next.kind === 'submit' && next.phase === 'fill' && next.operation === 'run';
