/**
 * Filling a queue up to and beyond its border, step by step. Pure, so that every course can be tested without k6: told
 * what became of the last step, it says what to do next and what is known of the queue's length.
 */
import { afterRoom, atBorder, ELSEWHERE, idle, startBorder } from './queue-border.ts';
import {
  afterSubmission,
  capped,
  type FreeFate,
  type QueueRule,
  type QueueState,
  type QueueStep,
  STOP,
  type SubmissionFate,
  type SubmitStep,
  submit,
} from './queue-state.ts';

/** Accepted beyond the border before it is taken for not enforced; "after insertion" and races need a few. */
const BEYOND_BORDER = 6;
const GIVE_UP_AFTER = 3;
const RUN = submit('fill', 'run');

/** What is known once `state.next` was carried out; `fate` is of no interest after `idle`. */
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

/** A refusal of `run` that outlasts an idle window is the queue's: `runsync` is asked too, and that is all. */
function afterRetry(state: QueueState, { operation }: SubmitStep, fate: SubmissionFate, rule: QueueRule): QueueState {
  if (operation === 'runsync') return state.full ? { ...state, next: STOP } : continued(state, rule);
  return fate === 'refused' ? { ...state, next: submit('retry', 'runsync') } : setBack(state, rule);
}

/** Something else than the queue refused: the filling goes on, slower and one by one. */
function setBack(state: QueueState, rule: QueueRule): QueueState {
  return continued({ ...state, full: null, setbacks: state.setbacks + 1, slowdown: state.slowdown * 2 }, rule);
}

/** `runsync` is asked once on the way, and at the border when `run` is refused, or is not. */
function continued(state: QueueState, { border, runsyncAt }: QueueRule): QueueState {
  if (state.unclear >= GIVE_UP_AFTER) return puzzled(state, border);
  if (state.accepted >= border + BEYOND_BORDER) return startBorder(state, null);
  const isDue = !state.runsyncTried && runsyncAt !== undefined && state.accepted >= runsyncAt;
  return { ...state, next: isDue ? submit('fill', 'runsync') : RUN };
}

/** Answers that are neither, beyond the border: once more after an idle window, since a gateway may have given them. */
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
  if (!isPlainRun(state.next) || state.unclear > 0 || state.setbacks > 0) return 1;
  const toRunsync = state.runsyncTried || runsyncAt === undefined ? together : runsyncAt - state.accepted;
  const room = Math.min(border - ONE_BY_ONE_WITHIN - state.max, toRunsync);
  return Math.max(1, Math.min(Math.ceil(latencyMs / periodMs), room, together));
}

const isPlainRun = (next: QueueStep): boolean =>
  next.kind === 'submit' && next.phase === 'fill' && next.operation === 'run';
