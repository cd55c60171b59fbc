/** Looks at finished jobs by their age, doubling from left to right, against the time they are documented to stay. */
import type { RetentionPicture } from '../../../schemas/facts.ts';
import { duration } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, dots, figure, label, lineAcross, scale, WIDTH } from '../../pictures/plot.ts';

const [LINE, HEIGHT] = [22, 46];
const TICK = 8;
/** Of the documented time; what is younger stands at the left edge. */
const YOUNGEST = 1 / 4096;

export function renderRetention({ looks, documentedMs }: RetentionPicture): Html {
  const shareOf = (ageMs: number): number => Math.max(YOUNGEST, documentedMs > 0 ? ageMs / documentedMs : 1);
  const most = looks.reduce((high, { ageMs }) => Math.max(high, shareOf(ageMs)), 1);
  const x = scale(Math.log2(YOUNGEST), Math.log2(most), 6, WIDTH - 6);
  const at = (ageMs: number): number => x(Math.log2(shareOf(ageMs)));
  const [there, gone] = [looks.filter((one) => !one.gone), looks.filter((one) => one.gone)];
  const oldest = there.reduce((high, { ageMs }) => Math.max(high, ageMs), 0);
  const youngest = gone.reduce((low, { ageMs }) => Math.min(low, ageMs), Infinity);
  const says = [
    there.length > 0 ? `there up to ${duration(oldest)}` : 'never there',
    gone.length > 0 ? `gone from ${duration(youngest)}` : 'never gone',
  ];
  const border = at(documentedMs);
  return figure(HEIGHT, `Jobs after their end: ${says.join(', ')}.`, `●\u00a0${says[0]} · ✕\u00a0${says[1]}`, [
    html`<path class="axis" d="${lineAcross(LINE)}"/>`,
    html`<path class="border" d="${`M${border} ${LINE - TICK}V${LINE + TICK}`}"/>`,
    html`<path class="dot" d="${dots(there.map(({ ageMs }) => ({ x: at(ageMs), y: LINE })))}"/>`,
    html`<path class="cross" d="${crosses(gone.map(({ ageMs }) => ({ x: at(ageMs), y: LINE })))}"/>`,
    label(0, HEIGHT - 4, 'at their end'),
    label(WIDTH, HEIGHT - 4, `documented ${duration(documentedMs)}`, 'end'),
  ]);
}
