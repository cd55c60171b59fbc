/**
 * A block: a client that sends more than N in a window is refused everything for a while, and then starts from zero.
 * @nestjs/throttler blocks for a whole window by default, rate-limiter-flexible for its blockDuration,
 * @fastify/rate-limit with `ban`, Cloudflare's own API for five minutes. Where refused requests renew the block
 * (continueExceeding), it ends only for a client that is silent.
 */
import type { Answer, Answers } from '../answers.ts';
import { between, type Kind, type Range } from '../kind.ts';
import { firstSentFrom } from './windows.ts';

export const block = (end: 'fixed' | 'renewed'): Kind => ({
  algorithm: 'blocking',
  name: end === 'fixed' ? 'block after the first excess' : 'block that refused requests renew',
  ...(end === 'renewed' ? { counts: 'all' as const } : {}),
  has: ['pauseMs'],
  enforces: true,
  mayHave(answers, { windowMs, pauseMs }) {
    let [lower, upper] = [1, Number.POSITIVE_INFINITY];
    // One that is over before its window is would let more through than the window does.
    if (pauseMs.to < windowMs.from) return null;
    // With a pause that is hardly known, a refusal behind one block may be of the next.
    if (pauseMs.to > NARROW * pauseMs.from) return between(lower, upper);
    const [sure, possible] = [answers.surely('admitted'), answers.possibly('admitted')];
    let open: Range = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
    for (;;) {
      const excess = answers.refused[firstSentFrom(answers.refused, open.to)];
      if (!excess) break;
      const sinceMs = Math.max(open.from, excess.sentMs - windowMs.to - answers.grainMs);
      upper = Math.min(upper, possible.possiblyBetween(sinceMs, excess.answeredMs));
      const ends = endOf(answers, excess, pauseMs, end);
      // All that was admitted until the block is over came before it.
      lower = Math.max(lower, mostAtFirst(answers, windowMs, { from: open.to, to: ends.from }));
      open = ends;
      const isBroken = sure.surelyBetween(excess.answeredMs + answers.grainMs, open.from) > 0;
      if (isBroken || upper < lower) return null;
    }
    const rest = mostAtFirst(answers, windowMs, { from: open.to, to: Number.POSITIVE_INFINITY });
    return between(Math.max(lower, rest), upper);
  },
});

const ofAnyLength = block('fixed');

/** A block as long as its window, of any length. */
export const wholeBlock: Kind = {
  ...ofAnyLength,
  has: [],
  mayHave: (answers, at, scale) => ofAnyLength.mayHave(answers, { ...at, pauseMs: at.windowMs }, scale),
};

const NARROW = 1.05;

/**
 * Admitted within a window of the first of them: a client that was silent, or blocked, starts from zero, however
 * windows are counted.
 */
function mostAtFirst({ rows, grainMs, surely }: Answers, windowMs: Range, part: Range): number {
  const { sentMs } = rows[firstSentFrom(rows, part.from)] ?? { sentMs: part.to };
  return surely('admitted').surelyBetween(sentMs, Math.min(part.to, sentMs + windowMs.from - grainMs));
}

/** When the block that began with this refusal is over. */
function endOf(answers: Answers, first: Answer, pauseMs: Range, end: 'fixed' | 'renewed'): Range {
  const { refused, grainMs } = answers;
  const possible = answers.possibly('admitted');
  const last = { from: first.sentMs, to: first.answeredMs };
  let index = firstSentFrom(refused, first.sentMs);
  for (; end === 'renewed' && index < refused.length; index += 1) {
    const { sentMs, answeredMs } = refused[index] as Answer;
    if (sentMs > last.to + pauseMs.to + grainMs) break;
    last.from = Math.max(last.from, sentMs);
    last.to = Math.max(last.to, answeredMs);
  }
  const ends = { from: last.from + pauseMs.from - grainMs, to: last.to + pauseMs.to + grainMs };
  // Near its end another block may have begun, where something was admitted.
  for (index = firstSentFrom(refused, ends.from); index < refused.length; index += 1) {
    const { sentMs, answeredMs } = refused[index] as Answer;
    if (sentMs > ends.to) break;
    if (possible.possiblyBetween(ends.from, answeredMs) > 0) ends.to = answeredMs + pauseMs.to + grainMs;
  }
  return ends;
}
