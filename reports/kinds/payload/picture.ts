/** Body sizes on a number line: where accepting ends, between the two readings of the documented size. */
import type { BytesPicture } from '../../../schemas/facts.ts';
import { number } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, dots, figure, label, lineAcross, scale, WIDTH } from '../../pictures/plot.ts';

const [ACCEPTED, AXIS, REFUSED, HEIGHT] = [22, 32, 42, 66];
/** How much of the line lies outside the two readings, on each side, as a part of the gap between them. */
const MARGIN = 0.6;
/** Marks of sizes far outside stand at the edge, whole. */
const EDGE = 5;

export function renderBytes(picture: BytesPicture): Html {
  const gap = Math.max(1, picture.refuse - picture.accept);
  const x = scale(picture.accept - gap * MARGIN, picture.refuse + gap * MARGIN, EDGE, WIDTH - EDGE);
  const at = (accepted: boolean, y: number) =>
    picture.attempts.filter((one) => one.accepted === accepted).map((one) => ({ x: x(one.bytes), y }));
  const sizes = (accepted: boolean) =>
    picture.attempts.filter((one) => one.accepted === accepted).map((one) => one.bytes);
  const largest = Math.max(0, ...sizes(true));
  const smallest = Math.min(Infinity, ...sizes(false));
  const kind = picture.encoding === 'chunked' ? 'chunked body' : 'body';
  const says = [
    largest > 0 ? `The largest ${kind} accepted had ${number(largest)} bytes` : `No ${kind} was accepted`,
    Number.isFinite(smallest) ? `the smallest refused ${number(smallest)}` : 'none was refused',
  ].join('; ');
  const [low, high] = [x(picture.accept), x(picture.refuse)];
  return figure(HEIGHT, `${says}.`, `●\u00a0accepted · ✕\u00a0refused · ${says.toLowerCase()}`, [
    html`<rect class="either" x="${low}" y="12" width="${high - low}" height="40"/>`,
    html`<path class="axis" d="${lineAcross(AXIS)}"/>`,
    html`<path class="border" d="M${low} 12V52M${high} 12V52"/>`,
    html`<path class="dot" d="${dots(at(true, ACCEPTED))}"/>`,
    html`<path class="cross" d="${crosses(at(false, REFUSED))}"/>`,
    label(low, 8, 'must pass', 'end'),
    label(high, 8, 'must not', 'start'),
    label((low + high) / 2, 8, 'either', 'middle'),
    label(low, HEIGHT - 4, number(picture.accept), 'middle'),
    label(high, HEIGHT - 4, number(picture.refuse), 'middle'),
  ]);
}
