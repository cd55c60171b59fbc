/**
 * How long responses took under the paced load, what load that was, and how streams arrived. Shown apart from the
 * verdicts: nothing here is judged unless the configuration sets a goal.
 */
import { type Percentiles, percentileNames, type ResultAchieved, type ResultLatency } from '../../schemas/latency.ts';
import type { Results } from '../../schemas/results.ts';
import { number } from '../../schemas/thousands.ts';
import { amount, cell, classWords } from '../latency/words.ts';
import { renderLatency, type SharedScale, sharedScale } from '../pictures/percentiles.ts';
import { type Html, html } from './html.ts';
import type { PageInput } from './parts.ts';

export const hasLatency = ({ latency, achieved, streams, run }: Results): boolean =>
  [latency, achieved, streams, run.merged?.notes].some((rows) => rows !== undefined && rows.length > 0);

function row(one: ResultLatency, scale: SharedScale): Html {
  const figures = percentileNames.map((name) => {
    const sent = one.uncorrected?.[name];
    return html`<td class="figure">${cell(one.latency, name)}${
      sent !== undefined && html`<br><span class="muted small">${amount(sent)}</span>`
    }</td>`;
  });
  const first = one.firstByte;
  return html`<tr><th scope="row"><span class="name">${one.operation}</span><br><span class="muted">${classWords[one.statusClass]}</span></th>
<td class="figure">${number(one.requests)}</td>${figures}
<td class="figure">${first ? html`${cell(first, 'p50')}<br><span class="muted small">${cell(first, 'p99')}</span>` : '–'}</td>
<td class="col-picture">${renderLatency(one, scale)}</td></tr>`;
}

function latencyTable(rows: readonly ResultLatency[]): Html | false {
  if (rows.length === 0) return false;
  const scale = sharedScale(rows);
  const corrected = rows.some(({ uncorrected }) => uncorrected !== undefined);
  return html`<p class="lead">Milliseconds from when the schedule wanted a request sent to the last byte of its answer, so that
an answer that kept others from being sent counts for those too. Bursts are left out.${
    corrected ? ' The second line is what it was from its sending, where that differs.' : ''
  } First byte: from the sending, p50 over p99. A dash: too few values.
The hill is how many took how long. Marks: ● p50, strokes p90, p95 and p99, ✕ the longest.</p>
<div class="scroll" tabindex="0"><table class="latency"><thead><tr><th scope="col">Operation</th><th scope="col">Requests</th>
${percentileNames.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col">First byte</th>
<th scope="col">On one scale</th></tr></thead><tbody>${rows.map((one) => row(one, scale))}</tbody></table></div>`;
}

const lateness = (late: Percentiles | undefined): string =>
  late ? (['p50', 'p99', 'max'] as const).map((name) => cell(late, name)).join(' / ') : '–';

function achievedRow(one: ResultAchieved): Html {
  const short =
    one.sent < one.planned && html` <span class="muted small">(${number(one.planned - one.sent)} not sent)</span>`;
  return html`<tr><th scope="row">${one.probe}<br><span class="muted">${one.phase}: ${one.operations.join(', ')}</span></th>
<td class="figure">${number(one.planned)}</td><td class="figure">${number(one.sent)}${short}</td>
<td class="figure">${one.plannedRate}</td><td class="figure">${one.achievedRate}</td><td class="figure">${lateness(one.lateness)}</td></tr>`;
}

function achievedTable(rows: readonly ResultAchieved[]): Html | false {
  if (rows.length === 0) return false;
  return html`<h3>Load, as planned and as sent</h3>
<div class="scroll" tabindex="0"><table class="latency"><thead><tr><th scope="col">Probe</th><th scope="col">Planned</th><th scope="col">Sent</th>
<th scope="col">Planned, per s</th><th scope="col">Sent, per s</th><th scope="col">Begun late, ms: p50 / p99 / max</th></tr></thead>
<tbody>${rows.map(achievedRow)}</tbody></table></div>`;
}

function streamsTable({ streams = [] }: Results): Html | false {
  if (streams.length === 0) return false;
  const figure = (one: Percentiles | undefined, name: 'p50' | 'p95' | 'max') =>
    html`<td class="figure">${cell(one, name)}</td>`;
  const rows = streams.map((one) => {
    const whole =
      one.inOnePiece > 0 && html`<br><span class="small">${number(one.inOnePiece)} came in one piece</span>`;
    return html`<tr><th scope="row"><span class="name">${one.operation}</span>${whole}</th>
<td class="figure">${number(one.answered)} of ${number(one.streams)}</td><td class="figure">${number(one.tokens)}</td>
${figure(one.firstToken, 'p50')}${figure(one.firstToken, 'p95')}${figure(one.firstToken, 'max')}
${figure(one.betweenTokens, 'p50')}${figure(one.betweenTokens, 'p95')}${figure(one.betweenTokens, 'max')}</tr>`;
  });
  return html`<h3>Streams</h3>
<div class="scroll" tabindex="0"><table class="latency"><thead><tr><th scope="col" rowspan="2">Operation</th><th scope="col" rowspan="2">Streams with a token</th>
<th scope="col" rowspan="2">Tokens</th><th scope="colgroup" colspan="3">First token, ms: p50, p95, max</th>
<th scope="colgroup" colspan="3">Between tokens, ms: p50, p95, max</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function latencySection({ results }: PageInput): Html | false {
  if (!hasLatency(results)) return false;
  return html`<section id="latency" aria-labelledby="latency-title">
<h2 id="latency-title">Latency</h2>
${(results.run.merged?.notes ?? []).map((note) => html`<p>${note}.</p>`)}
${latencyTable(results.latency ?? [])}${achievedTable(results.achieved ?? [])}${streamsTable(results)}
</section>`;
}
