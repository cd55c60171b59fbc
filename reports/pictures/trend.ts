/** Measurements of several runs side by side, the oldest on the left: a mark for each, and a stroke where they changed. */
import { type Html, html } from '../html/html.ts';
import { bars, crosses, dots, figure, lineAcross, scale, WIDTH } from './plot.ts';

const [HEIGHT, EDGE] = [34, 5];
const WIDEST_STEP = 24;

export interface TrendMark {
  /** Index of its run. */
  readonly run: number;
  readonly lower: number;
  /** Null where no bound was found. */
  readonly upper: number | null;
  /** Drawn as a cross, not as a dot. */
  readonly wrong?: boolean;
}

export interface TrendPicture {
  /** How many runs stand side by side. */
  readonly runs: number;
  readonly marks: readonly TrendMark[];
  /** What is documented; null where nothing is. */
  readonly border: number | null;
  /** Runs, by index, from which on it is another. */
  readonly changes: readonly number[];
  /** The picture in words. */
  readonly says: string;
}

export function renderTrend({ runs, marks, border, changes, says }: TrendPicture): Html {
  const values = [
    ...marks.flatMap(({ lower, upper }) => [lower, upper ?? lower]),
    ...(border === null ? [] : [border]),
  ];
  // From nothing on where nothing is documented, and never closer than a tenth: what hardly moves must not look as if it did.
  const most = Math.max(...values);
  const least = border === null ? 0 : Math.min(...values);
  const room = Math.max((most - least) * 0.15, most * 0.1);
  const y = scale(least - room, most + room, HEIGHT - EDGE, EDGE);
  const step = Math.min(WIDEST_STEP, (WIDTH - 2 * EDGE) / Math.max(1, runs - 1));
  const x = (run: number): number => WIDTH - EDGE - (runs - 1 - run) * step;
  const at = ({ run, lower, upper }: TrendMark) => ({ x: x(run), y: y(upper === null ? lower : (lower + upper) / 2) });
  const spans = marks.flatMap(({ run, lower, upper }) => {
    const top = upper === null ? 0 : y(upper);
    const height = y(lower) - top;
    return height < 1 ? [] : [{ x: x(run) - 1.5, height, base: y(lower) }];
  });
  const strokes = changes.map((run) => `M${Math.round((x(run) - step / 2) * 100) / 100} 0V${HEIGHT}`).join('');
  return figure(HEIGHT, says, '', [
    border === null ? html`` : html`<path class="border" d="${lineAcross(y(border))}"/>`,
    html`<path class="axis turn" d="${strokes}"/>`,
    ...spans.map((span) => html`<path class="area" d="${bars([span], span.base, 3)}"/>`),
    html`<path class="dot at" d="${dots(marks.filter(({ wrong }) => !wrong).map(at))}"/>`,
    html`<path class="cross" d="${crosses(marks.filter(({ wrong }) => wrong === true).map(at), 2.5)}"/>`,
  ]);
}
