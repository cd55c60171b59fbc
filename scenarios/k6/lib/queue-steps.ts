/**
 * Filling a queue up to and beyond its border, step by step. Pure, so that every course can be tested without k6: told
 * what became of the last submission, it says what to do next and what is known of the queue's length.
 */

export type Submission = 'run' | 'runsync';

/**
 * `done`: accepted and finished at once, so not in the queue · `unanswered`: no answer within a short patience; a
 * `runsync` is left open, so its job stays where it is.
 */
export type SubmissionFate = 'accepted' | 'done' | 'refused' | 'unanswered' | 'other';

export interface SubmitStep {
  readonly kind: 'submit';
  readonly phase: 'fill' | 'retry';
  readonly operation: Submission;
}

export type QueueStep =
  | SubmitStep
  /** Wait for an idle rate window with the queue unchanged. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'stop' };

export interface QueueRule {
  /** Largest queue at which nothing may be refused. */
  readonly border: number;
  /** The smaller of the rule's two numbers of jobs: beyond it alone nothing may be refused either. */
  readonly smallBorder: number;
}

export interface QueueState {
  /** Bounds of the queue's length. The lower one stays 0 when a worker may be taking jobs from it. */
  readonly min: number;
  readonly max: number;
  readonly workersHeld: boolean;
  readonly accepted: number;
  readonly idleWaits: number;
  /** Factor on the time between submissions, raised whenever a refusal turned out to be the rate limit's. */
  readonly slowdown: number;
  readonly runsyncTried: boolean;
  /** Tried also where only a few more fit in. */
  readonly runsyncTriedNear: boolean;
  /** Whose refusal is to be tried again after the idle window. */
  readonly refused: Submission;
  /** Submissions in a row that say nothing: server errors, rejected credentials, silence. */
  readonly unclear: number;
  readonly next: QueueStep;
}

/** Accepted beyond the border before it is taken for not enforced; "after insertion" and races need a few. */
const BEYOND_BORDER = 6;
/** So far below the border `runsync` is asked once more, and leaves `run` the last place that every reading grants. */
const NEAR_BORDER = 2;
const MOST_IDLE_WAITS = 3;
const GIVE_UP_AFTER = 3;
const RUN: SubmitStep = { kind: 'submit', phase: 'fill', operation: 'run' };
const RUNSYNC: SubmitStep = { kind: 'submit', phase: 'fill', operation: 'runsync' };
const STOP: QueueStep = { kind: 'stop' };

/** @param waiting jobs that may stand in the queue already, e.g. long ones not known to run; Infinity when unknown */
export function startFilling(workersHeld: boolean, waiting: number): QueueState {
  const knowledge = { min: 0, max: waiting, workersHeld, accepted: 0 };
  return {
    ...knowledge,
    idleWaits: 0,
    slowdown: 1,
    runsyncTried: false,
    runsyncTriedNear: false,
    refused: 'run',
    unclear: 0,
    next: RUN,
  };
}

/** What is known once `state.next` was carried out; `fate` is of no interest after `idle`. */
export function advance(state: QueueState, rule: QueueRule, fate: SubmissionFate): QueueState {
  const step = state.next;
  if (step.kind === 'stop') return state;
  if (step.kind === 'idle') return { ...state, next: { kind: 'submit', phase: 'retry', operation: state.refused } };
  const counted = count(state, rule, step.operation, fate);
  if (step.phase === 'retry') return afterRetry(counted, step.operation, fate, rule);
  if (fate !== 'refused') return { ...counted, next: nextFill(counted, rule) };
  const next: QueueStep = state.idleWaits < MOST_IDLE_WAITS ? { kind: 'idle' } : STOP;
  return { ...counted, refused: step.operation, next };
}

/**
 * The same for several `run` submitted at the same time. At most one refusal counts: the others of the same moment say
 * nothing more, and the first is tried again.
 */
export function advanceTogether(state: QueueState, rule: QueueRule, fates: readonly SubmissionFate[]): QueueState {
  const others = fates.filter((fate) => fate !== 'refused');
  let now = state;
  for (const fate of others) now = advance({ ...now, next: RUN }, rule, fate);
  return others.length < fates.length ? advance({ ...now, next: RUN }, rule, 'refused') : now;
}

/** Most submissions at the same time: far from what the concurrency limit of `run` allows. */
const TOGETHER_MOST = 20;
/** Near the borders each one is submitted by itself, so that the queue before it is known exactly. */
const ONE_BY_ONE_WITHIN = 10;

/**
 * How many `run` to submit at the same time, so that a target that takes `latencyMs` for each is still filled at one
 * every `periodMs`; 1 wherever the queue must be known to the job.
 */
export function submitTogether(state: QueueState, rule: QueueRule, latencyMs: number, periodMs: number): number {
  const { next, runsyncTried, unclear, slowdown } = state;
  const plain = next.kind === 'submit' && next.phase === 'fill' && next.operation === 'run';
  if (!plain || !runsyncTried || unclear > 0) return 1;
  const room = rule.border - ONE_BY_ONE_WITHIN - state.max;
  const wanted = Math.ceil(latencyMs / (periodMs * slowdown));
  return Math.max(1, Math.min(wanted, room, TOGETHER_MOST));
}

/** Held, known and unchanged: whatever happens from now on, the workers may take jobs from the queue. */
export function loseHold(state: QueueState): QueueState {
  return { ...state, workersHeld: false, min: 0 };
}

/** Silence is how a queued `runsync` shows that it was taken, so only from `run` does it count against the target. */
function count(state: QueueState, rule: QueueRule, operation: Submission, fate: SubmissionFate): QueueState {
  const queued = fate === 'accepted' || (fate === 'unanswered' && operation === 'runsync');
  const unclear = fate === 'other' || (fate === 'unanswered' && operation === 'run');
  return {
    ...state,
    min: state.min + (queued && state.workersHeld ? 1 : 0),
    max: state.max + (queued || fate === 'unanswered' || fate === 'other' ? 1 : 0),
    accepted: state.accepted + (queued || fate === 'done' ? 1 : 0),
    runsyncTried: state.runsyncTried || operation === 'runsync',
    runsyncTriedNear: state.runsyncTriedNear || (operation === 'runsync' && isNear(state, rule)),
    unclear: unclear ? state.unclear + 1 : 0,
  };
}

/** A refusal of `run` that outlasts an idle window is the queue's: `runsync` is asked too, and that is all. */
function afterRetry(state: QueueState, operation: Submission, fate: SubmissionFate, rule: QueueRule): QueueState {
  if (operation === 'runsync') return { ...state, next: state.refused === 'run' ? STOP : nextFill(state, rule) };
  if (fate === 'refused') return { ...state, next: { ...RUNSYNC, phase: 'retry' } };
  const waited = { ...state, idleWaits: state.idleWaits + 1, slowdown: state.slowdown * 2 };
  return { ...waited, next: nextFill(waited, rule) };
}

/** `runsync` is tried once between the two borders, once just below the larger and once beyond both. */
function nextFill(state: QueueState, rule: QueueRule): QueueStep {
  if (state.unclear >= GIVE_UP_AFTER) return STOP;
  if (state.accepted >= rule.border + BEYOND_BORDER) return triedLast(state) ? STOP : RUNSYNC;
  if (!state.runsyncTriedNear && isNear(state, rule)) return RUNSYNC;
  return !state.runsyncTried && state.accepted > rule.smallBorder + 1 ? RUNSYNC : RUN;
}

function isNear({ max }: QueueState, { border }: QueueRule): boolean {
  return max >= border - NEAR_BORDER && max < border;
}

/** Whether the step just carried out was the last one, `runsync` beyond the border. */
function triedLast({ next }: QueueState): boolean {
  return next.kind === 'submit' && next.operation === 'runsync';
}
