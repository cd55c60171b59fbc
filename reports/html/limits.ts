/** One row for each limit: what is documented, what was measured, by which algorithm, the verdict and a picture. */
import type { QueuePicture } from '../../schemas/facts.ts';
import { limits as limitTable } from '../../schemas/limits.ts';
import type { ResultLimit, Results } from '../../schemas/results.ts';
import { number } from '../../schemas/thousands.ts';
import { limitReason } from '../findings.ts';
import { renderPicture } from '../kinds/index.ts';
import { documentedWords, limitName, measuredWords } from '../limit-words.ts';
import { cut } from '../text.ts';
import { verdictWords } from '../words.ts';
import { type Html, html } from './html.ts';
import { badge, checkLink, type PageInput } from './parts.ts';

// The truth table of the queue rule, endpoint by endpoint: at which lengths of its queue each operation was accepted
// and refused, and what happened right at the border. Between the rule's two numbers a refusal is wrong, and at the
// border itself it may be right, since the documentation doesn't say whether the new job counts.

interface Row {
  readonly operation: string;
  readonly picture: QueuePicture;
}

function rowsOf(limits: readonly ResultLimit[]): Row[] {
  return limits.flatMap(({ operations, pictures = [] }) =>
    pictures.flatMap((picture) =>
      picture.kind === 'queue' && picture.points.length > 0 ? [{ operation: operations.join(', '), picture }] : [],
    ),
  );
}

/** What came at exactly this length. */
function cell({ points }: QueuePicture, length: number): string {
  const here = points.filter(({ queued }) => queued === length);
  const [taken, refused] = [here.some(({ accepted }) => accepted), here.some(({ accepted }) => !accepted)];
  if (taken && refused) return '✓ taken, ✕ refused';
  if (taken) return '✓ taken';
  return refused ? '✕ refused' : '– not tested';
}

function range({ points }: QueuePicture, accepted: boolean): string {
  const lengths = points.filter((point) => point.accepted === accepted).map(({ queued }) => queued);
  if (lengths.length === 0) return 'never';
  const least = lengths.reduce((a, b) => Math.min(a, b));
  const most = lengths.reduce((a, b) => Math.max(a, b));
  return least === most ? number(least) : `${number(least)} to ${number(most)}`;
}

/** Nothing where no queue was filled. */
export function queueTable({ limits, target }: Pick<Results, 'limits' | 'target'>): Html | false {
  const rows = rowsOf(limits);
  if (rows.length === 0) return false;
  const workers = (instId: string) => target.endpoints.find((one) => one.instId === instId)?.workersMax;
  const lines = rows.map(
    ({ operation, picture }) => html`<tr>
<th scope="row">${picture.instId}</th><td>${workers(picture.instId) ?? 'unknown'}</td><td>${operation}</td>
<td>${range(picture, true)}</td><td>${range(picture, false)}</td>
${[-1, 0, 1].map((step) => html`<td>${cell(picture, picture.border + step)}<br><span class="muted small">${number(picture.border + step)}</span></td>`)}</tr>`,
  );
  return html`<h3>Queue by length</h3>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Endpoint</th><th scope="col">WorkersMax</th>
<th scope="col">Operation</th><th scope="col">Taken with</th><th scope="col">Refused with</th>
<th scope="col">One below the border</th><th scope="col">At the border</th><th scope="col">One above</th></tr></thead>
<tbody>${lines}</tbody></table></div>`;
}

const REASON_CHARACTERS = 400;

/** The checks of a row by their aspect: `run.rate.guarantee` is `guarantee`. */
function aspects(input: PageInput, limit: ResultLimit): Html {
  const own = input.results.checks.filter((check) => limit.checks.includes(check.id));
  const links = own.map((check) => {
    const aspect = check.id.startsWith(`${limit.id}.`) ? check.id.slice(limit.id.length + 1) : check.id;
    const { sign, word } = verdictWords[check.verdict];
    const label = html`<span aria-hidden="true">${sign}</span> ${aspect}<span class="skip">: ${word}</span>`;
    return html`<li>${checkLink(input, check.id, label)}</li>`;
  });
  return html`<ul class="aspects">${links}</ul>`;
}

function row(input: PageInput, limit: ResultLimit): Html {
  const { operations, kind } = limitName(limit);
  const reason = limitReason(input.results, limit);
  return html`<tr id="limit-${limit.id}" role="row">
<th scope="row" role="rowheader"><span class="name">${operations.replaceAll(', ', ',\n')}</span><br><span class="muted">${kind}</span></th>
<td role="cell" data-label="Documented">${documentedWords(limit)}</td>
<td role="cell" data-label="Measured">${measuredWords(limit)}${
    limit.algorithm &&
    html`<br><span class="muted small">algorithm: ${limit.algorithm}${limit.counts === 'all' && ', which counts refused requests too'}</span>`
  }</td>
<td role="cell" data-label="Verdict">${badge(limit.verdict)}
${reason && html`<p class="why">${cut(reason, REASON_CHARACTERS)}</p>`}
${aspects(input, limit)}</td>
<td role="cell" class="col-picture">${(limit.pictures ?? []).map(renderPicture)}</td>
</tr>`;
}

/** All limits in a few lines for the first screen, each leading to its row. */
export function limitsAtAGlance({ results }: PageInput): Html | false {
  if (results.limits.length === 0) return false;
  const items = results.limits.map((limit) => {
    const { operations, kind } = limitName(limit);
    const { sign, word } = verdictWords[limit.verdict];
    return html`<li class="v-${limit.verdict}"><span class="sign" aria-hidden="true">${sign}</span>
<span><a href="#limit-${limit.id}">${operations}</a> ${kind}<span class="skip">: ${word}</span></span></li>`;
  });
  return html`<h2>Limits at a glance</h2><ul class="glance">${items}</ul>`;
}

export function limitsSection(input: PageInput): Html {
  const rows = input.results.limits;
  const seen = new Set(rows.map((limit) => limit.id));
  const absent = limitTable.filter((limit) => !seen.has(limit.id)).map((limit) => limit.id);
  return html`<section id="limits" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
<p class="lead">Documented and measured values. An interval means that the evidence allows any value in it.</p>
${
  rows.length > 0 &&
  html`<div class="limits"><table role="table"><thead role="rowgroup"><tr role="row">
<th scope="col" role="columnheader">Limit</th><th scope="col" role="columnheader">Documented</th>
<th scope="col" role="columnheader">Measured</th><th scope="col" role="columnheader">Verdict</th>
<th scope="col" role="columnheader">Evidence</th></tr></thead>
<tbody role="rowgroup">${rows.map((limit) => row(input, limit))}</tbody></table></div>`
}
${queueTable(input.results)}
${absent.length > 0 && html`<p class="muted small">Not part of this run: ${absent.join(', ')}.</p>`}
</section>`;
}
