/** The same kinds where answers are read in another way: by a coarse clock, as one of several processes, as delays. */
import type { Answer, Answers } from '../answers.ts';
import type { Kind, Numbers, Range, Scale } from '../kind.ts';

const reading = (
  kind: Kind,
  change: Partial<Kind> & { readonly name: string },
  read: (answers: Answers, at: Numbers, scale: Scale) => Answers,
): Kind => ({
  ...kind,
  ...change,
  mayHave: (answers, at, scale) => kind.mayHave(read(answers, at, scale), at, scale),
});

/**
 * By a clock that goes in steps: Envoy's local limiter and Spring Cloud Gateway refill so, and many limiters on Redis count
 * in whole seconds.
 */
export const inSteps = (stepMs: number, kind: Kind): Kind =>
  reading(
    kind,
    {
      name: `${kind.name}, by a clock with steps of ${stepMs / 1000} s`,
      has: [...kind.has, 'step'],
      ...(kind.algorithm === 'token-bucket' ? {} : { stepMs }),
    },
    (answers, { step }) => readBy(answers, stepMs, step),
  );

/** @param step where the steps begin, as a share of one */
function readBy(answers: Answers, stepMs: number, step: Range): Answers {
  const stepped = answers.rows.map(({ sentMs, answeredMs, outcome }) => ({
    sentMs: (Math.floor(sentMs / stepMs - step.to) + step.from) * stepMs,
    answeredMs: (Math.floor(answeredMs / stepMs - step.from) + step.to) * stepMs,
    outcome,
  }));
  return answers.with(stepped);
}

/**
 * One that counts up to such a part of the requests a second time, as several processes do that read a count after others
 * have raised it: it refuses the offender a few requests early.
 */
export const countingTwice = (part: number, kind: Kind): Kind =>
  reading(kind, { algorithm: 'unknown', name: `${kind.name}, counting some requests twice` }, (answers) =>
    answers.once(`twice ${part}`, () => answers.with(answers.rows, part)),
  );

/** Several, each of which counts by itself. */
export const inProcesses = (kind: Kind): Kind =>
  reading(kind, { name: `${kind.name}, in several processes that count by themselves` }, (answers, _, { windowMs }) =>
    answers.once(inProcesses, () => ofAll(answers, A_WHILE_WINDOWS * windowMs)),
  );

/** Hardly anything becomes free so soon. */
const A_WHILE_WINDOWS = 1 / 20;

/**
 * Those that are full refuse while others still admit, so only a refusal after which none was admitted for a while is one
 * of all of them.
 */
function ofAll(answers: Answers, whileMs: number): Answers {
  let admittedMs = Number.POSITIVE_INFINITY;
  const kept = answers.rows.toReversed().filter(({ outcome, sentMs, answeredMs }) => {
    if (outcome === 'admitted') admittedMs = sentMs;
    return outcome !== 'refused' || admittedMs - answeredMs > whileMs;
  });
  return answers.with(kept.reverse());
}

/** One that lets everything through, but late: it admits a request when it answers it, and refuses it until then. */
export const delaying = (kind: Kind): Kind =>
  reading(kind, { algorithm: 'delay', name: `${kind.name}, delaying what is too much` }, (answers) =>
    answers.once(delaying, () => asRefused(answers)),
  );

function asRefused(answers: Answers): Answers {
  const quickestMs = answers.rows.reduce((least, one) => Math.min(least, one.answeredMs - one.sentMs), Infinity);
  const slackMs = DELAYED_TIMES * quickestMs + TIMER_MS;
  const read = answers.rows.flatMap((one): Answer[] => {
    if (one.answeredMs - one.sentMs <= slackMs + DELAYED_LEAST_MS) return [one];
    const waiting: Answer = { sentMs: one.sentMs, answeredMs: one.sentMs + slackMs, outcome: 'refused' };
    return [waiting, { ...one, sentMs: one.answeredMs - slackMs }];
  });
  return answers.with(read);
}

const DELAYED_TIMES = 3;
/** A timer that lets a request go is late by so much on a busy machine. */
const TIMER_MS = 20;
const DELAYED_LEAST_MS = 100;
