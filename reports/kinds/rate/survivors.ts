/** What the limiters that may be behind a rate limit mean: whether they keep it, what they measure, as text. */
import type { Algorithm, RateFacts, RateSurvivor } from '../../../schemas/facts.ts';
import { hullOf } from '../../../schemas/intervals.ts';
import type { RateLimit } from '../../../schemas/limits.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { refusedOf } from '../../verdicts/evidence.ts';
import type { Measured } from '../../verdicts/measure.ts';

type Row = Pick<RateLimit, 'value' | 'windowMs'>;

/**
 * A bucket's size is known only to within what it gets back while a request is on its way, and a counter's only to within
 * its rounding: the documented value is a pass where it lies inside an interval no wider than this share (or one request).
 */
const RESOLUTION = 0.01;
/**
 * A boundary or a refill is seen at one of the requests of the probe, which are so far apart; and no more than one request
 * more in a window is a matter of where it begins.
 */
const WINDOW_RESOLUTION = 0.12;

const measuredExactly: readonly Algorithm[] = ['sliding-log', 'fixed-window', 'blocking'];

/** Whether such a limiter never lets more through than documented; `open` where its numbers are not known that well. */
export function keeps(one: RateSurvivor, { value, windowMs }: Row): 'yes' | 'no' | 'open' {
  const { lower, upper } = one.value;
  const slack = measuredExactly.includes(one.algorithm) ? 0 : Math.max(1, RESOLUTION * value);
  const rate = perWindow(one, { value, windowMs });
  if (!one.enforces || lower > value || rate.lower > value * (1 + RESOLUTION)) return one.differsTwice ? 'open' : 'no';
  // Delays show no limit where answers come slower than it lets them: the target, or the way to it, may just be slow.
  if (one.algorithm === 'delay' && upper < value) return 'open';
  // With both numbers open, a few requests fit one that keeps the limit as well.
  if (one.differsTwice && !isKnown(one.windowMs)) return 'open';
  const isValue = upper <= value || upper - lower <= slack;
  return isValue && rate.upper <= Math.max(value * (1 + WINDOW_RESOLUTION), value + 1) ? 'yes' : 'open';
}

/**
 * Whether a client within the limit is always admitted by such a limiter. A sliding counter takes earlier requests for
 * evenly spread, so at most moments it refuses a burst that comes as soon as it may.
 */
export function allows(one: RateSurvivor, { value, windowMs }: Row): boolean {
  if (one.algorithm === 'sliding-counter') return false;
  if (isBucket(one)) return one.value.upper >= value && one.windowMs.lower <= windowMs;
  // So many fit into a longer window without a break of the documented one.
  return one.value.upper >= value * Math.ceil(one.windowMs.lower / windowMs);
}

/** Requests in a documented window in the long run. */
function perWindow(one: RateSurvivor, { value, windowMs }: Row): RateSurvivor['value'] {
  const { lower, upper } = isBucket(one) ? { lower: value, upper: value } : one.value;
  return { lower: (lower * windowMs) / one.windowMs.upper, upper: (upper * windowMs) / one.windowMs.lower };
}

/** Of a bucket that gets back what is documented, the size alone is another one. */
const isBucket = ({ algorithm, refill }: RateSurvivor): boolean => algorithm === 'token-bucket' && !refill;

/**
 * Requests per window, and the window where it is known and not the documented one; where it is not known, the
 * equivalent in a documented one. null without an upper bound.
 */
export function measureRate(facts: RateFacts): Measured | null {
  const { survivors, exceedsRoom, mostAdmitted, limit, windowMs } = facts;
  if (survivors.length > 0) {
    const measured = hullOf(survivors.map(({ value }) => value));
    const windows = survivors.map((one) => one.windowMs);
    if (windows.some((one) => isWithin(windowMs, one))) return measured;
    const hull = hullOf(windows);
    if (isKnown(hull)) return { ...measured, windowMs: roundWithin(hull) };
    const { lower, upper } = hullOf([measured, ...survivors.map((one) => perWindow(one, { value: limit, windowMs }))]);
    return { lower: Math.floor(lower), upper: Math.ceil(upper) };
  }
  if (mostAdmitted === 0) return null;
  // A boundary of windows, or a bucket, lets twice the value through.
  const lower = Math.max(Math.ceil(mostAdmitted / 2), exceedsRoom ? limit + 1 : 0);
  return { lower, upper: isKept(facts) ? limit : null };
}

/**
 * Whether it did as documented, to the letter, however it counts: once a request was admitted, a client within the limit
 * was never refused, one beyond it was, and in no window was more admitted.
 */
export const isKept = (facts: RateFacts): boolean =>
  (facts.within.refused === 0 || facts.within.isAtFirst) && refusedOf(facts) > 0 && facts.mostAdmitted <= facts.limit;

const isWithin = (ms: number, { lower, upper }: RateSurvivor['windowMs']): boolean => lower <= ms && ms <= upper;

const isKnown = ({ lower, upper }: RateSurvivor['windowMs']): boolean => upper <= lower * (1 + WINDOW_RESOLUTION);

/** The roundest number of ms of an interval: probably the configured one. */
function roundWithin({ lower, upper }: RateSurvivor['windowMs']): number {
  for (let step = 10 ** Math.ceil(Math.log10(upper)); step >= 1; step /= 10) {
    for (const unit of [step, step / 2]) {
      const round = Math.ceil(lower / unit) * unit;
      if (round <= upper) return Math.round(round);
    }
  }
  return Math.round((lower + upper) / 2);
}

/** The one that all survivors agree on. */
export function algorithmOf({ survivors }: Pick<RateFacts, 'survivors'>): Algorithm {
  const [first] = survivors;
  return first && survivors.every(({ algorithm }) => algorithm === first.algorithm) ? first.algorithm : 'unknown';
}

/** What all of them count; undefined where it makes no difference, or where they differ. */
export function countsOf({ survivors }: Pick<RateFacts, 'survivors'>): RateSurvivor['counts'] {
  const [first] = survivors;
  return survivors.every(({ counts }) => counts === first?.counts) ? first?.counts : undefined;
}

/** To hundredths. */
export const seconds = (ms: number): string => grouped`${Math.round(ms / 10) / 100} s`;

/** As far as it is known. */
export const windowText = (window: RateSurvivor['windowMs']): string =>
  isKnown(window) ? seconds(roundWithin(window)) : `${seconds(window.lower)} to ${seconds(window.upper)}`;

/** What a limiter is, and what is said of it behind its numbers: `fixed window`, ` that begins with a request`. */
const SORT = /^(.*?)((?:,| that) .*)?$/;

/** `a sliding log of 100 per 10 s`; of windows that may be the documented one `window` is that one by default. */
export function survivorText(
  one: RateSurvivor,
  row: Row,
  window = isWithin(row.windowMs, one.windowMs) ? seconds(row.windowMs) : windowText(one.windowMs),
): string {
  const { lower, upper } = one.value;
  const size = lower === upper ? grouped`${lower}` : grouped`${lower} to ${upper}`;
  const what = isBucket(one) ? grouped`${size}, refilled with ${row.value} per ${window}` : `${size} per ${window}`;
  const { pauseMs } = one;
  const [, kind = one.name, how = ''] = SORT.exec(one.name) ?? [];
  return `a ${kind} of ${what}${how}${pauseMs ? ` (${seconds(pauseMs.lower)} to ${seconds(pauseMs.upper)})` : ''}`;
}
