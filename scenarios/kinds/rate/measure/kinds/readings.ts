/** The same kinds where answers are read in another way: by a coarse clock, as one of several processes, as delays. */
import { type Answer, type Answers, answersOf } from '../answers.ts';
import type { Kind, Range } from '../kind.ts';

/**
 * By a clock that goes in steps: Envoy's local limiter and Spring Cloud Gateway refill so, and many limiters on Redis count
 * in whole seconds.
 */
export const inSteps = (stepMs: number, kind: Kind): Kind => ({
  ...kind,
  name: `${kind.name}, by a clock with steps of ${stepMs / 1000} s`,
  has: [...kind.has, 'step'],
  ...(kind.algorithm === 'token-bucket' ? {} : { stepMs }),
  mayHave: (answers, at, scale) => kind.mayHave(readBy(answers, stepMs, at.step), at, scale),
});

/** @param step where the steps begin, as a share of one */
function readBy({ rows, grainMs, earlier }: Answers, stepMs: number, step: Range): Answers {
  const stepped = rows.map(({ sentMs, answeredMs, outcome }) => ({
    sentMs: (Math.floor(sentMs / stepMs - step.to) + step.from) * stepMs,
    answeredMs: (Math.floor(answeredMs / stepMs - step.from) + step.to) * stepMs,
    outcome,
  }));
  return answersOf(stepped, grainMs, earlier);
}

/** Several, each of which counts by itself. */
export const inProcesses = (kind: Kind): Kind => ({
  ...kind,
  name: `${kind.name}, in several processes that count by themselves`,
  mayHave: (answers, at, scale) =>
    kind.mayHave(
      answers.once(inProcesses, () => ofAll(answers, A_WHILE_WINDOWS * scale.windowMs)),
      at,
      scale,
    ),
});

/** Hardly anything comes back so soon. */
const A_WHILE_WINDOWS = 1 / 20;

/**
 * Those that are full refuse while others still admit, so only a refusal after which none was admitted for a while is one
 * of all of them.
 */
function ofAll({ rows, grainMs, earlier }: Answers, whileMs: number): Answers {
  let admittedMs = Number.POSITIVE_INFINITY;
  const kept = rows.toReversed().filter(({ outcome, sentMs, answeredMs }) => {
    if (outcome === 'admitted') admittedMs = sentMs;
    return outcome !== 'refused' || admittedMs - answeredMs > whileMs;
  });
  return answersOf(kept.reverse(), grainMs, earlier);
}

/** One that lets everything through, but late: it admits a request when it answers it, and refuses it until then. */
export const delaying = (kind: Kind): Kind => ({
  ...kind,
  algorithm: 'delay',
  name: `${kind.name} that delays what is too much`,
  mayHave: (answers, at, scale) =>
    kind.mayHave(
      answers.once(delaying, () => asRefused(answers)),
      at,
      scale,
    ),
});

function asRefused({ rows, grainMs, earlier }: Answers): Answers {
  const quickestMs = rows.reduce((least, one) => Math.min(least, one.answeredMs - one.sentMs), Infinity);
  const slackMs = DELAYED_TIMES * quickestMs + TIMER_MS;
  const read = rows.flatMap((one): Answer[] => {
    if (one.answeredMs - one.sentMs <= slackMs + DELAYED_LEAST_MS) return [one];
    const waiting: Answer = { sentMs: one.sentMs, answeredMs: one.sentMs + slackMs, outcome: 'refused' };
    return [waiting, { ...one, sentMs: one.answeredMs - slackMs }];
  });
  return answersOf(read, grainMs, earlier);
}

const DELAYED_TIMES = 3;
/** A timer that lets a request go is late by so much on a busy machine. */
const TIMER_MS = 20;
const DELAYED_LEAST_MS = 100;
