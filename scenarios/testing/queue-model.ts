/**
 * A target's queue as the steps of a filling meet it, without time: each submission and each cancellation is one step,
 * and an idle window is one too. What it refuses is given; what it holds is counted, to compare with what the steps
 * believe.
 */
import type { FreeFate, QueueRule, Submission, SubmissionFate } from '../k6/lib/queue-state.ts';
import { loseHold, type QueueState, type QueueStep, startFilling } from '../k6/lib/queue-state.ts';
import { advance, advanceTogether, submitTogether } from '../k6/lib/queue-steps.ts';

export interface SentSubmission {
  readonly operation: Submission;
  /** Jobs in the queue before it. */
  readonly queued: number;
  /** Submissions before it, also refused ones; and since the last idle window. */
  readonly sent: number;
  readonly sinceIdle: number;
  /** How many are submitted at the same moment, and which of them this is. */
  readonly together: number;
  readonly index: number;
  readonly everRefused: boolean;
}

export interface ModelTarget {
  answer(requested: SentSubmission): SubmissionFate;
  /** Whether a cancelled job leaves the queue. Default: it does. */
  cancels?(): boolean;
  readonly latencyMs?: number;
  /** After so many submissions a worker may take jobs. */
  readonly holdsFor?: number;
}

export interface Played {
  readonly step: QueueStep;
  readonly fates: readonly (SubmissionFate | FreeFate)[];
  readonly min: number;
  readonly max: number;
  /** The queue as it really was before the step. */
  readonly really: number;
}

const PERIOD_MS = 11;
const ENDLESS = 6000;

/** The whole course, and the state it ended in. */
export function play(
  rule: QueueRule,
  target: ModelTarget,
  from: QueueState = startFilling(true, 0),
): { readonly log: readonly Played[]; readonly end: QueueState } {
  const log: Played[] = [];
  let [state, queued, sent, sinceIdle, everRefused] = [from, 0, 0, 0, false];
  const send = (operation: Submission, together: number, index: number): SubmissionFate => {
    const fate = target.answer({ operation, queued, sent, sinceIdle, together, index, everRefused });
    sent += 1;
    sinceIdle += 1;
    everRefused ||= fate === 'refused';
    if (fate === 'accepted') queued += 1;
    return fate;
  };
  for (;;) {
    if (log.length > ENDLESS) throw new Error('it never ends');
    if (sent >= (target.holdsFor ?? Number.POSITIVE_INFINITY)) state = loseHold(state);
    const { next: step, min, max } = state;
    if (step.kind === 'stop') return { log, end: state };
    const note = (fates: Played['fates'], really: number) => log.push({ step, fates, min, max, really });
    const before = queued;
    if (step.kind === 'idle') {
      note([], before);
      sinceIdle = 0;
      state = advance(state, rule, 'other');
    } else if (step.kind === 'free') {
      const leaves = queued > 0 && (target.cancels?.() ?? true);
      if (leaves) queued -= 1;
      note([leaves ? 'freed' : 'not-freed'], before);
      state = advance(state, rule, leaves ? 'freed' : 'not-freed');
    } else {
      const count = submitTogether(state, rule, target.latencyMs ?? 0, PERIOD_MS);
      const fates = Array.from({ length: count }, (_, index) => send(step.operation, count, index));
      note(fates, before);
      const [only] = fates;
      state = count === 1 && only ? advance(state, rule, only) : advanceTogether(state, rule, fates);
    }
  }
}

/** `fill run accepted`, `free freed`, `idle`. */
export function brief({ step, fates }: Played): string {
  if (step.kind === 'submit') return `${step.phase} ${step.operation} ${fates.join(' ')}`;
  return [step.kind, ...fates].join(' ');
}
