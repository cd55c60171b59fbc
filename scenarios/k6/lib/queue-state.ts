/**
 * What is known of a queue while it is filled: bounds of its length, what was sent, and what comes next. Pure: the
 * steps that change it are in `queue-steps.ts` (filling) and `queue-border.ts` (once something was refused).
 */
import type { Submitting } from '../../../schemas/operations.ts';

export type Submission = Submitting;

/**
 * `done`: accepted and finished at once, so not in the queue · `unanswered`: no response within a short timeout, so the
 * job may or may not have been accepted; the request is left open, so that the job stays in the queue.
 */
export type SubmissionFate = 'accepted' | 'done' | 'refused' | 'unanswered' | 'other';

/** Whether the target showed that a cancelled job of ours left the queue. */
export type FreeFate = 'freed' | 'not-freed';

/**
 * `fill`: towards the border · `full`: where the queue was refused before · `reopen`: after room was made · `retry`:
 * after an idle window.
 */
export interface SubmitStep {
  readonly kind: 'submit';
  readonly phase: 'fill' | 'full' | 'reopen' | 'retry';
  readonly operation: Submission;
}

export type QueueStep =
  | SubmitStep
  /** Take one of our own jobs out of the queue by cancelling it. */
  | { readonly kind: 'free' }
  /** Wait for an idle rate window with the queue unchanged. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'stop' };

export interface QueueRule {
  /** Largest queue at which nothing may be refused. */
  readonly border: number;
  /** `runsync` is sent once before the border, when so many were accepted; absent: not before. */
  readonly runsyncAt?: number | undefined;
  /** Most submissions at the same time, far from what the limit on requests at once allows. */
  readonly together: number;
}

/** The course around the length at which something was refused. */
export interface Full {
  /** Length at which `run` was refused; null where it never was. */
  readonly at: number | null;
  /** Which operations have been given room. */
  readonly room: readonly Submission[];
  /** `runsync` was refused although there was room: retried after an idle window. */
  readonly pending: boolean;
  /** Submissions of `runsync` in a row that were taken. */
  readonly taken: number;
}

export interface QueueState {
  /** Bounds of the queue's length. The lower one stays 0 when a worker may be taking jobs from it. */
  readonly min: number;
  readonly max: number;
  readonly workersHeld: boolean;
  /** Accepted and not taken out again. */
  readonly accepted: number;
  readonly sent: { readonly run: number; readonly runsync: number; readonly free: number };
  /** Refusals that turned out not to be the queue's. */
  readonly setbacks: number;
  /** Factor on the time between submissions, raised with each setback. */
  readonly slowdown: number;
  readonly runsyncTried: boolean;
  readonly full: Full | null;
  /** Whose refusal is to be tried again after the idle window. */
  readonly refused: Submission;
  /** Submissions in a row that say nothing: server errors, rejected credentials, silence. */
  readonly unknown: number;
  readonly next: QueueStep;
}

export const STOP: QueueStep = { kind: 'stop' };
export const submit = (phase: SubmitStep['phase'], operation: Submission): SubmitStep => ({
  kind: 'submit',
  phase,
  operation,
});

/** @param waiting jobs that may stand in the queue already, e.g. long ones not known to run; Infinity when unknown */
export function startFilling(workersHeld: boolean, waiting: number): QueueState {
  return {
    min: 0,
    max: waiting,
    workersHeld,
    accepted: 0,
    sent: { run: 0, runsync: 0, free: 0 },
    setbacks: 0,
    slowdown: 1,
    runsyncTried: false,
    full: null,
    refused: 'run',
    unknown: 0,
    next: submit('fill', 'run'),
  };
}

/** What no course exceeds, so that a plan can announce it. */
export function mostSteps(border: number): QueueState['sent'] {
  return { run: border + 60, runsync: 20, free: 24 };
}

/** What the course on a target that keeps the rule sends: a few submissions of each kind around the border. */
export function usualSteps(border: number): QueueState['sent'] {
  return { run: border + 10, runsync: 5, free: 6 };
}

/** Stops a course that would go beyond what was announced. */
export function capped(state: QueueState, { border }: QueueRule): QueueState {
  const { next, sent } = state;
  const most = mostSteps(border);
  const what = next.kind === 'submit' ? next.operation : next.kind === 'free' ? 'free' : undefined;
  return what && sent[what] >= most[what] ? { ...state, next: STOP } : state;
}

/**
 * The queue after a submission. Silence may mean that the job was taken or not; only from `run`, which answers at
 * once, does it count against the target.
 */
export function afterSubmission(state: QueueState, operation: Submission, fate: SubmissionFate): QueueState {
  const queued = fate === 'accepted';
  const maybe = fate === 'unanswered' || fate === 'other';
  const unknown = fate === 'other' || (fate === 'unanswered' && operation === 'run');
  return {
    ...state,
    min: state.min + (queued && state.workersHeld ? 1 : 0),
    max: state.max + (queued || maybe ? 1 : 0),
    accepted: state.accepted + (queued || fate === 'done' || (maybe && !unknown) ? 1 : 0),
    sent: { ...state.sent, [operation]: state.sent[operation] + 1 },
    runsyncTried: state.runsyncTried || operation === 'runsync',
    unknown: unknown ? state.unknown + 1 : 0,
  };
}

/** The queue after a job of ours was cancelled: one that didn't show to have left may have left nevertheless. */
export function afterFree(state: QueueState, fate: FreeFate): QueueState {
  return {
    ...state,
    min: Math.max(0, state.min - 1),
    max: fate === 'freed' ? state.max - 1 : state.max,
    accepted: fate === 'freed' ? state.accepted - 1 : state.accepted,
    sent: { ...state.sent, free: state.sent.free + 1 },
  };
}

/** Held, known and unchanged: from now on, the workers may take jobs from the queue. */
export function loseHold(state: QueueState): QueueState {
  return { ...state, workersHeld: false, min: 0 };
}
