/** Rate limits: which limiters may be behind the answers, and what a client within the limit was refused. */
import type { ArrivalsPicture, RateFacts } from '../../../schemas/facts.ts';
import type { RateLimit } from '../../../schemas/limits.ts';
import { duration, number, plural } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { bars, figure, label, lineAcross, scale, steps, WIDTH } from '../../pictures/plot.ts';
import { closest, limitRow } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { judgeRate, rateDoubts } from './judge.ts';
import { algorithmOf, countsOf, measureRate } from './survivors.ts';

// Arrivals of a rate probe: how many were admitted within the last window, against the limit, and when it refused.

const [TOP, BASE, STRIP, HEIGHT] = [14, 74, 96, 110];
const MOST_COLUMNS = 150;

/** Admitted in the window that ends with each bin. */
export function trailing(admitted: readonly number[], windowBins: number): number[] {
  let sum = 0;
  return admitted.map((count, index) => {
    sum += count - (admitted[index - windowBins] ?? 0);
    return sum;
  });
}

/** Groups of neighbouring bins folded into one column each. */
function columns(values: readonly number[], per: number, fold: (group: readonly number[]) => number): number[] {
  const made: number[] = [];
  for (let index = 0; index < values.length; index += per) made.push(fold(values.slice(index, index + per)));
  return made;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const top = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

export function renderArrivals(picture: ArrivalsPicture): Html {
  const bins = Math.max(picture.admitted.length, picture.refused.length, 1);
  // A window of whole bins is shorter than the documented one, never longer: what it holds was within that one.
  const windowBins = Math.max(1, Math.floor(picture.windowMs / picture.binMs));
  const inWindow = picture.inWindow ?? trailing(picture.admitted, windowBins);
  const per = Math.ceil(bins / MOST_COLUMNS);
  const heights = columns(inWindow, per, top);
  const refusals = columns(picture.refused, per, total);
  const width = WIDTH / Math.ceil(bins / per);
  const y = scale(0, Math.max(top(inWindow), picture.limit) * 1.08, BASE, TOP);
  const line = heights.map((value, index) => ({ x: index * width, y: y(value) }));
  const end = line.at(-1);
  const path = steps(end ? [...line, { x: line.length * width, y: end.y }] : []);
  const most = top(refusals);
  const strip = refusals
    .map((count, index) => ({ x: index * width, height: count === 0 ? 0 : Math.max(2, (count / most) * 16) }))
    .filter((bar) => bar.height > 0);
  const window = duration(picture.windowMs);
  const refused = total(picture.refused);
  const says =
    `As many as ${number(top(inWindow))} requests were admitted within ${window}, against a limit of ` +
    `${number(picture.limit)}; ${number(refused)} were refused.`;
  return figure(HEIGHT, says, `line: admitted within ${window} · bars: ${number(refused)} refused`, [
    html`<path class="axis" d="${lineAcross(BASE)}"/><path class="axis" d="${lineAcross(STRIP)}"/>`,
    path !== '' ? html`<path class="area" d="${path}V${BASE}H0z"/><path class="line" d="${path}"/>` : html``,
    html`<path class="border" d="${lineAcross(y(picture.limit))}"/>`,
    html`<path class="refused" d="${bars(strip, STRIP, Math.max(width, 1))}"/>`,
    label(0, y(picture.limit) - 3, `limit ${number(picture.limit)}`),
    label(0, HEIGHT - 3, '0 s'),
    label(WIDTH, HEIGHT - 3, duration(bins * picture.binMs), 'end'),
  ]);
}

export const rate: KindOfLimit<RateLimit> = {
  word: 'rate',
  documented: ({ value, windowMs }) => `${plural(value, 'request')} per ${duration(windowMs)}`,
  amount: (amount, count, { windowMs }) =>
    `${nouns(amount, count, 'request')}${windowMs === undefined ? '' : ` per ${duration(windowMs)}`}`,
  row({ value, windowMs }, own) {
    const documented = { value, windowMs };
    // The scope probes have the same limit, and measure nothing.
    const probe = closest(
      own.filter((one): one is RateFacts => one.kind === 'rate'),
      measureRate,
    );
    if (!probe) return { documented, measured: null };
    const { picture, health } = probe;
    const counts = countsOf(probe);
    const seen = { measured: measureRate(probe), algorithm: algorithmOf(probe), ...(counts ? { counts } : {}) };
    return { documented, ...seen, pictures: [picture], health };
  },
};

export const rateJudges: Judges<'rate'> = {
  rate: {
    judge: (facts, context) => judgeRate(facts, limitRow(facts.limitId, 'requests', context.table), context),
    doubts: (facts, context) => rateDoubts(facts, limitRow(facts.limitId, 'requests', context.table), context),
  },
};

export const rateDrawing: Drawing<'arrivals'> = { arrivals: renderArrivals };
