/** Requests in flight over a concurrency probe, against the limit, and where one was refused. */
import type { InFlightPicture } from '../../../schemas/facts.ts';
import { duration, number } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, figure, label, lineAcross, scale, steps, WIDTH } from '../../pictures/plot.ts';

const [TOP, BASE, STRIP, HEIGHT] = [14, 76, 87, 106];

export function renderInFlight(picture: InFlightPicture): Html {
  const fromMs = picture.steps[0]?.atMs ?? 0;
  const toMs = picture.steps.at(-1)?.atMs ?? fromMs;
  const most = picture.steps.reduce((high, step) => Math.max(high, step.inFlight), 0);
  const x = scale(fromMs, toMs, 0, WIDTH);
  const y = scale(0, Math.max(most, picture.limit) * 1.1, BASE, TOP);
  const path = steps(picture.steps.map((step) => ({ x: x(step.atMs), y: y(step.inFlight) })));
  // `refused` counts up, so a rise is where refusals happened.
  const refusals = picture.steps.filter((step, index) => step.refused > (picture.steps[index - 1]?.refused ?? 0));
  const refused = picture.steps.at(-1)?.refused ?? 0;
  const says =
    `At most ${number(most)} requests were in flight at once, against a limit of ${number(picture.limit)}; ` +
    `${number(refused)} were refused.`;
  return figure(HEIGHT, says, `line: requests in flight · crosses: ${number(refused)} refused`, [
    html`<path class="axis" d="${lineAcross(BASE)}"/>`,
    path !== '' ? html`<path class="area" d="${path}V${BASE}H${x(fromMs)}z"/><path class="line" d="${path}"/>` : html``,
    html`<path class="border" d="${lineAcross(y(picture.limit))}"/>`,
    html`<path class="cross" d="${crosses(refusals.map((step) => ({ x: x(step.atMs), y: STRIP })))}"/>`,
    label(WIDTH, y(picture.limit) - 3, `limit ${number(picture.limit)}`, 'end'),
    label(0, HEIGHT - 3, '0 s'),
    label(WIDTH, HEIGHT - 3, duration(toMs - fromMs), 'end'),
  ]);
}
