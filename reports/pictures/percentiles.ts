/** Percentiles of one latency as marks on a line, on a scale that all strips of a table share. */
import { type Percentiles, percentileNames } from '../../schemas/latency.ts';
import { type Html, html } from '../html/html.ts';
import { withMs } from '../latency/words.ts';
import { crosses, dots, figure, label, type Scale, scale, WIDTH } from './plot.ts';

const [LINE, HEIGHT, EDGE] = [10, 28, 6];
/** Half of a mark's height: the farther the percentile, the higher it stands. */
const ARMS = { p90: 3, p95: 5, p99: 7 } as const;
const LEAST_MS = 0.01;
/** Labels of decades closer than this, px, would run into one another. */
const LABEL_ROOM = 30;

/** From the least to the largest of all, by decades: a stall of a second and a millisecond stand on one line. */
export interface SharedScale {
  readonly x: Scale;
  /** Decades that have a label, ms. */
  readonly decades: readonly number[];
}

export function sharedScale(all: readonly Percentiles[]): SharedScale {
  const values = all.flatMap((one) => percentileNames.flatMap((name) => one[name] ?? []));
  const logs = values.map((ms) => Math.log10(Math.max(LEAST_MS, ms)));
  const [low, high] = logs.reduce(
    ([least, most], log) => [Math.min(least, log), Math.max(most, log)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const [from, to] = Number.isFinite(low) ? [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)] : [0, 1];
  const place = scale(from, to, EDGE, WIDTH - EDGE);
  const every = Math.max(1, Math.ceil(((to - from) * LABEL_ROOM) / WIDTH));
  const decades = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
    (log) => (log - from) % every === 0,
  );
  return { x: (ms) => place(Math.log10(Math.max(LEAST_MS, ms))), decades: decades.map((log) => 10 ** log) };
}

export function renderPercentiles(percentiles: Percentiles, { x, decades }: SharedScale): Html {
  const from = percentiles.p50 ?? percentiles.max;
  const ticks = (['p90', 'p95', 'p99'] as const).flatMap((name) => {
    const ms = percentiles[name];
    return ms === undefined ? [] : [`M${round(x(ms))} ${LINE - ARMS[name]}v${2 * ARMS[name]}`];
  });
  const says = percentileNames.flatMap((name) => {
    const ms = percentiles[name];
    return ms === undefined ? [] : [`${name} ${withMs(ms)}`];
  });
  const axis = decades.map((ms) => `M${round(x(ms))} 1v${HEIGHT - 12}`).join('');
  return figure(HEIGHT, says.join(', '), '', [
    html`<path class="axis" d="${axis}"/>`,
    html`<path class="line" d="M${round(x(from))} ${LINE}H${round(x(percentiles.max))}${ticks.join('')}"/>`,
    percentiles.p50 === undefined
      ? html``
      : html`<path class="dot at" d="${dots([{ x: x(percentiles.p50), y: LINE }])}"/>`,
    html`<path class="cross at" d="${crosses([{ x: x(percentiles.max), y: LINE }])}"/>`,
    ...decades.map((ms) => label(Math.round(x(ms)), HEIGHT - 2, decadeWords(ms), anchorAt(x(ms)))),
  ]);
}

const round = (value: number): number => Math.round(value * 100) / 100;
const decadeWords = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);
const anchorAt = (px: number) => (px < WIDTH * 0.05 ? 'start' : px > WIDTH * 0.95 ? 'end' : 'middle');
