/** Submissions in their order, each at the length the queue had then, against the border beyond which they may be refused. */
import type { QueuePicture } from '../../../schemas/facts.ts';
import { number } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, dots, figure, label, lineAcross, scale, WIDTH } from '../../pictures/plot.ts';

const [TOP, BASE, HEIGHT] = [14, 78, 92];
const MOST_DOTS = 120;

export function renderQueue(picture: QueuePicture): Html {
  const { points, border } = picture;
  const most = points.reduce((high, point) => Math.max(high, point.queued), border);
  const x = scale(0, Math.max(1, points.length - 1), 6, WIDTH - 6);
  const y = scale(0, most * 1.12, BASE, TOP);
  const placed = points.map((point, index) => ({ ...point, x: x(index), y: y(point.queued) }));
  const accepted = placed.filter((point) => point.accepted);
  const refused = placed.filter((point) => !point.accepted);
  const every = Math.max(1, Math.ceil(accepted.length / MOST_DOTS));
  const highest = accepted.reduce((high, point) => Math.max(high, point.queued), 0);
  const lowest = refused.reduce((low, point) => Math.min(low, point.queued), Infinity);
  const says = [
    accepted.length > 0 ? `accepted with up to ${number(highest)} queued` : 'none accepted',
    Number.isFinite(lowest) ? `refused with ${number(lowest)} or more` : 'none refused',
  ].join(', ');
  const sentence = `Endpoint ${picture.instId}, limit ${number(border)} jobs: ${says}.`;
  return figure(HEIGHT, sentence, `${picture.instId}: ●\u00a0${says.replace(', ', ' · ✕\u00a0')}`, [
    html`<path class="axis" d="${lineAcross(BASE)}"/>`,
    html`<path class="border" d="${lineAcross(y(border))}"/>`,
    html`<path class="dot" d="${dots(accepted.filter((_, index) => index % every === 0 || index === accepted.length - 1))}"/>`,
    html`<path class="cross" d="${crosses(refused)}"/>`,
    label(0, y(border) - 4, `limit ${number(border)}`),
    label(0, HEIGHT - 3, 'first submission'),
    label(WIDTH, HEIGHT - 3, 'last', 'end'),
  ]);
}
