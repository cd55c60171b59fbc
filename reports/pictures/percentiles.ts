/**
 * One latency on a scale that all strips of a table share: how many took how long as a hill, and the percentiles as
 * marks on the line below.
 */
import { type Distribution, percentileNames, type ResultLatency } from '../../schemas/latency.ts';
import { type Html, html } from '../html/html.ts';
import { withMs } from '../latency/words.ts';
import { bars, crosses, dots, figure, label, type Scale, scale, WIDTH } from './plot.ts';

/** The room of the hill, above the strip. */
const HILL = 30;
const [LINE, HEIGHT, EDGE] = [10, 28, 6];
/** One of ten thousand is to be seen as well. */
const LEAST_HEIGHT = 1;
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

type Shown = Pick<ResultLatency, 'latency' | 'distribution'>;

export function sharedScale(all: readonly Shown[]): SharedScale {
  const values = all.flatMap(({ latency, distribution }) => [
    ...percentileNames.flatMap((name) => latency[name] ?? []),
    ...(distribution ? [distribution.edgesMs[0] ?? LEAST_MS] : []),
  ]);
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

/** Each bin as high as it has values, in parts of the fullest one. */
function hill({ edgesMs, counts }: Distribution, x: Scale): string {
  const most = Math.max(...counts);
  const blocks = counts.map((count, index) => {
    if (count === 0) return '';
    const [from, to] = [x(edgesMs[index] ?? 0), x(edgesMs[index + 1] ?? 0)];
    return bars([{ x: from, height: Math.max(LEAST_HEIGHT, (count / most) * (HILL - 2)) }], HILL, to - from);
  });
  return blocks.join('');
}

export function renderLatency({ latency, distribution }: Shown, { x, decades }: SharedScale): Html {
  const top = distribution ? HILL : 0;
  const [y, height] = [top + LINE, top + HEIGHT];
  const from = latency.p50 ?? latency.max;
  const ticks = (['p90', 'p95', 'p99'] as const).flatMap((name) => {
    const ms = latency[name];
    return ms === undefined ? [] : [`M${round(x(ms))} ${y - ARMS[name]}v${2 * ARMS[name]}`];
  });
  const says = percentileNames.flatMap((name) => {
    const ms = latency[name];
    return ms === undefined ? [] : [`${name} ${withMs(ms)}`];
  });
  const axis = decades.map((ms) => `M${round(x(ms))} ${top + 1}v${HEIGHT - 12}`).join('');
  return figure(height, says.join(', '), '', [
    html`<path class="axis" d="${axis}"/>`,
    distribution ? html`<path class="hill" d="${hill(distribution, x)}"/>` : html``,
    html`<path class="line" d="M${round(x(from))} ${y}H${round(x(latency.max))}${ticks.join('')}"/>`,
    latency.p50 === undefined ? html`` : html`<path class="dot at" d="${dots([{ x: x(latency.p50), y }])}"/>`,
    html`<path class="cross at" d="${crosses([{ x: x(latency.max), y }])}"/>`,
    ...decades.map((ms) => label(Math.round(x(ms)), height - 2, decadeWords(ms), anchorAt(x(ms)))),
  ]);
}

const round = (value: number): number => Math.round(value * 100) / 100;
const decadeWords = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);
const anchorAt = (px: number) => (px < WIDTH * 0.05 ? 'start' : px > WIDTH * 0.95 ? 'end' : 'middle');
