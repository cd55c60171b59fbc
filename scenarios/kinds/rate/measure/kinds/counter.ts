/**
 * A sliding counter: adds the requests of this window to those of the one before, weighted by how much of that the
 * sliding window still covers. go-chi/httprate, @upstash/ratelimit, Kong, slowapi's sliding-window counter and HAProxy's
 * http_req_rate, whose period begins with the first request after a long pause; HAProxy and Kong may count refused
 * requests too. Some round the weighted part down. As it takes earlier requests for evenly spread, it refuses a burst
 * that comes as soon as it may.
 */
import type { Answer, Answers, Counts } from '../answers.ts';
import { between, type Kind, type Numbers, type Range, type Scale } from '../kind.ts';
import { boundariesOf } from './windows.ts';

export const counter = (counts: Counts, rounding: 'exact' | 'down'): Kind => ({
  algorithm: 'sliding-counter',
  name: `sliding counter${rounding === 'down' ? ' that rounds down' : ''}${counts === 'all' ? ' that counts refused requests too' : ''}`,
  counts,
  has: ['phase'],
  enforces: true,
  mayHave(answers, at, scale) {
    const estimate = estimates(answers, at.windowMs, counts, rounding);
    let [lower, upper] = [1, Number.POSITIVE_INFINITY];
    for (const one of answers.once(informative, () => informative(answers, LONG_PAUSE_WINDOWS * scale.windowMs))) {
      const begins = windowsOf(one, answers, at, scale);
      // It admits while the estimate is below the value; some want room for a whole request.
      if (one.outcome === 'admitted') {
        const least = Math.min(...begins.map((begin) => estimate.least(one, begin)));
        lower = Math.max(lower, Math.floor(least + ROUNDING) + 1);
      } else {
        const most = Math.max(...begins.map((begin) => estimate.most(one, begin)));
        upper = Math.min(upper, Math.ceil(most - ROUNDING));
      }
      if (upper < lower) return null;
    }
    return between(lower, upper);
  },
});

const ROUNDING = 1e-6;

/** When each window that this request may belong to can have begun. */
function windowsOf({ sentMs, answeredMs }: Answer, { grainMs }: Answers, at: Numbers, { originMs }: Scale): Range[] {
  const boundary = boundariesOf(at, originMs, grainMs);
  const found: Range[] = [];
  for (let index = Math.floor((sentMs - grainMs - originMs) / at.windowMs.from) - 2; ; index += 1) {
    const begin = boundary(index);
    if (begin.from > answeredMs) return found;
    if (begin.to + at.windowMs.to >= sentMs) found.push(begin);
  }
}

/** How much of the window before is still covered, 0 to 1, when it began there. */
const weightAt = (ms: number, beginMs: number, windowMs: number): number =>
  Math.min(1, Math.max(0, 1 - (ms - beginMs) / windowMs));

/**
 * Before a request. When it was admitted, of what surely came with it in this window all but the last were there before.
 * Those near the boundary are in the window before or in this one, so the two are counted together and then parted.
 */
function estimates(answers: Answers, windowMs: Range, counts: Counts, rounding: 'exact' | 'down') {
  const [sure, possible] = [answers.surely(counts), answers.possibly(counts)];
  const round = rounding === 'down' ? Math.floor : (value: number) => value;
  return {
    least({ sentMs, answeredMs }: Answer, begin: Range): number {
      const [toMs, own] = counts === 'all' ? [sentMs, 0] : [answeredMs, 1];
      const now = sure.surelyBetween(begin.to, toMs);
      const both = Math.max(now, sure.surelyBetween(begin.to - windowMs.from, toMs));
      return Math.max(0, round((both - now) * weightAt(answeredMs, begin.from, windowMs.from)) + now - own);
    },
    most({ sentMs, answeredMs }: Answer, begin: Range): number {
      const now = possible.possiblyBetween(begin.from, answeredMs);
      const both = possible.possiblyBetween(begin.from - windowMs.to, answeredMs);
      const own = counts === 'all' ? 1 : 0;
      return round((both - now) * weightAt(sentMs, begin.to, windowMs.to)) + now - own;
    },
  };
}

const MOST_TELLING = 400;
/** After so long a pause, windows may begin at another time than before. */
const LONG_PAUSE_WINDOWS = 1.5;

/**
 * An estimate takes several counts, so of a long ledger only some requests are tested: those where admission turns into
 * refusal or back, which show the most, and others evenly; and those after the last long pause alone. All are counted.
 */
function informative({ rows }: Answers, pauseMs: number): Answer[] {
  const resumed = rows.findLastIndex(({ sentMs }, index) => sentMs - (rows[index - 1]?.sentMs ?? sentMs) > pauseMs);
  const decided = rows.slice(Math.max(0, resumed)).filter(({ outcome }) => outcome !== 'neither');
  const turns = decided.filter(
    ({ outcome }, index) => outcome !== decided[index + 1]?.outcome || outcome !== decided[index - 1]?.outcome,
  );
  const some = (all: readonly Answer[]) => {
    const every = Math.max(1, Math.ceil(all.length / MOST_TELLING));
    return all.filter((_, index) => index % every === 0);
  };
  return [...some(turns), ...some(decided)];
}
