/** How it went from run to run: what changed since the last comparable one, and each measurement over the runs before. */
import type { ChangeKind, Changes } from '../../schemas/history.ts';
import type { Results } from '../../schemas/results.ts';
import { number, plural } from '../../schemas/thousands.ts';
import { changesInWords, changeTitle, limitChangeWords, ofKind, standingWords } from '../changes/words.ts';
import { pastRun } from '../history/line.ts';
import { type LatencyTrend, type LimitTrend, type Trend, trendOf } from '../history/trend.ts';
import { brokenTrendWords, comparedWords, latencyTrendWords, limitTrendWords } from '../history/words.ts';
import { bars, crosses, dots, figure, lineAcross, scale, WIDTH } from '../pictures/plot.ts';
import { instant } from '../words.ts';
import { type Html, html } from './html.ts';
import { badge, checkLink, type PageInput } from './parts.ts';

// Measurements of several runs side by side, the oldest on the left: a mark for each, and a stroke where they changed.

const [HEIGHT, EDGE] = [34, 5];
const WIDEST_STEP = 24;

interface TrendMark {
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
  /** The picture as text. */
  readonly says: string;
}

export function renderTrend({ runs, marks, border, changes, says }: TrendPicture): Html {
  const values = [
    ...marks.flatMap(({ lower, upper }) => [lower, upper ?? lower]),
    ...(border === null ? [] : [border]),
  ];
  // From zero on where nothing is documented, and never closer than a tenth: small changes must not look large.
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

export const hasHistory = ({ history }: Results): boolean => history !== undefined;

const MOST_LISTED = 30;

function list(input: PageInput, { checks }: Changes, kind: ChangeKind): Html | false {
  const own = ofKind(checks, kind);
  if (own.length === 0) return false;
  const more = own.length - MOST_LISTED;
  return html`<h4>${changeTitle(kind)}: ${number(own.length)}</h4>
<ul class="plain">${own.slice(0, MOST_LISTED).map(
    ({ id, before, now, known }) => html`<li>${checkLink(input, id)} <span class="muted small">${standingWords(before)}
before, now ${standingWords(now)}${known && ', known to the baseline'}</span></li>`,
  )}${more > 0 && html`<li>and ${plural(more, 'more check')}</li>`}</ul>`;
}

function changed(input: PageInput): Html | false {
  const since = input.results.history?.since;
  if (!since) return false;
  const { run, limits } = since;
  const version = run.suiteVersion === input.results.run.suiteVersion ? '' : `, made by proofload ${run.suiteVersion}`;
  return html`<h3>Since ${instant(run.startedAt)}</h3>
<p class="muted small">The last comparable run, ${run.id}${version}: ${changesInWords(since)}.</p>
${(['broken', 'still', 'lost', 'doubtful', 'fixed', 'settled'] as const).map((kind) => list(input, since, kind))}
${
  limits.length > 0 &&
  html`<h4>Limits with another measured value</h4><ul class="plain">${limits.map((one) => html`<li>${limitChangeWords(one)}</li>`)}</ul>`
}`;
}

function limitRow(trend: LimitTrend, { runs }: Trend): Html {
  const { limit, points, changes } = trend;
  const words = limitTrendWords(trend, runs);
  const picture = {
    runs: runs.length,
    marks: points.map(({ run, measured, verdict }) => ({ run, ...measured, wrong: verdict === 'fail' })),
    border: limit.documented.value,
    changes: changes.flatMap((index) => points[index]?.run ?? []),
    says: `${limit.id}: ${words}`,
  };
  return html`<tr><th scope="row"><a class="name" href="#limit-${limit.id}">${limit.id}</a></th><td>${words}</td>
<td class="col-picture">${points.length > 0 && renderTrend(picture)}</td></tr>`;
}

const whatWords = { latency: '', 'first-token': 'first token' } as const;

function latencyRow(trend: LatencyTrend, { runs }: Trend): Html {
  const { points, changes, operation, what } = trend;
  const words = latencyTrendWords(trend, runs);
  const picture = {
    runs: runs.length,
    marks: points.map(({ run, ms }) => ({ run, lower: ms, upper: ms })),
    border: null,
    changes: changes.flatMap(({ at }) => points[at]?.run ?? []),
    says: `${operation}: ${words}`,
  };
  return html`<tr><th scope="row"><span class="name">${operation}</span> <span class="muted">${whatWords[what]}</span></th><td>${words}</td>
<td class="col-picture">${renderTrend(picture)}</td></tr>`;
}

function broken(input: PageInput, { broken: list, runs }: Trend): Html | false {
  if (list.length === 0) return false;
  return html`<h3>Failing since</h3><ul class="plain">${list
    .slice(0, MOST_LISTED)
    .map(
      (one) =>
        html`<li>${badge(one.verdict)} ${checkLink(input, one.id)} <span class="muted small">${brokenTrendWords(one, runs)}</span></li>`,
    )}${list.length > MOST_LISTED && html`<li>and ${plural(list.length - MOST_LISTED, 'more check')}</li>`}</ul>`;
}

function table(title: string, head: string, rows: readonly Html[]): Html | false {
  if (rows.length === 0) return false;
  return html`<h3>${title}</h3><div class="scroll" tabindex="0"><table class="trend"><thead><tr><th scope="col">${head}</th><th scope="col">Measured</th>
<th scope="col">From run to run</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function trendSection(input: PageInput): Html | false {
  const { results } = input;
  const { history } = results;
  if (!history) return false;
  const trend = trendOf([...history.runs, pastRun(results)]);
  return html`<section id="trend" aria-labelledby="trend-title">
<h2 id="trend-title">Trend</h2>
<p class="lead">${comparedWords(history)} History: <code>${history.file}</code>.</p>
${changed(input)}
${
  history.runs.length > 0 &&
  html`${broken(input, trend)}
${table(
  'Limits, from run to run',
  'Limit',
  trend.limits.map((one) => limitRow(one, trend)),
)}
${table(
  'Latency, from run to run',
  'Operation',
  trend.latency.map((one) => latencyRow(one, trend)),
)}
${trend.versions.map(
  (run) =>
    html`<p class="muted small">proofload ${trend.runs[run]?.suiteVersion} since ${instant(trend.runs[run]?.startedAt ?? '')}.</p>`,
)}
<p class="muted small">Marks: ● measured, ✕ where the limit's promise was broken, a bar over an interval; dashes: as documented;
a stroke: another value from here on. The newest run is on the right.</p>`
}
</section>`;
}
