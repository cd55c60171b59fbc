/**
 * The truth table of the queue rule, endpoint by endpoint: at which lengths of its queue each operation was taken and
 * refused, and what came right at the border. Between the rule's two numbers nobody may be refused, and at the border
 * itself a refusal may be right, since the documentation doesn't say whether the new job counts.
 */
import type { QueuePicture } from '../../schemas/facts.ts';
import type { ResultLimit, Results } from '../../schemas/results.ts';
import { number } from '../../schemas/thousands.ts';
import { type Html, html } from './html.ts';

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
