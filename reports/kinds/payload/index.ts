/** Limits on the size of a body: which were taken and which refused, whole and as what. */
import type { BytesPicture, InferencePayloadFacts, PayloadFacts } from '../../../schemas/facts.ts';
import type { PayloadLimit } from '../../../schemas/limits.ts';
import { INFERENCE_PAYLOAD } from '../../../schemas/load-checks.ts';
import { number } from '../../../schemas/thousands.ts';
import { type Html, html } from '../../html/html.ts';
import { crosses, dots, figure, label, lineAcross, scale, WIDTH } from '../../pictures/plot.ts';
import { type Claim, holds, inconclusive } from '../../verdicts/claim.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';
import { closest, limitRow } from '../../verdicts/measure.ts';
import { nouns } from '../../words.ts';
import type { Drawing, Judges, KindOfLimit } from '../kind.ts';
import { judgePayload } from './judge.ts';
import { judgeRefusedJobs } from './refused-job.ts';
import { attemptText, bytesPictures, bytesText, measurePayload, sidesOf } from './sides.ts';

/** Facts of growing bodies on interface A -> what is recorded of them: nothing is documented, so nothing is judged. */
export function judgeInferencePayload(facts: InferencePayloadFacts): Claim {
  const expected = `the largest body that is accepted, searched up to ${bytesText(facts.capBytes)}`;
  const [side] = sidesOf(facts);
  const fault = brokenLedger(facts.health);
  const [smallest] = side?.attempts ?? [];
  if (!side || !smallest || fault) return inconclusive(expected, 'nothing', fault ?? 'no body was sent');
  if (!side.taken) return inconclusive(expected, attemptText(smallest), 'not even a small body was accepted');
  const { border } = side;
  if (!border) return inconclusive(expected, 'mixed', 'accepted and refused sizes are mixed, so size is not the cause');
  const last = side.attempts[side.attempts.length - 1];
  if (last?.outcome === 'other' || last?.outcome === 'unanswered') {
    return inconclusive(expected, attemptText(last), 'this is neither an acceptance nor a refusal for the size');
  }
  if (border.upper === null) return holds(expected, `all were accepted, up to ${bytesText(border.lower)}`);
  const refusal = side.attempts.find(({ bytes }) => bytes === (border.upper ?? 0) + 1);
  return holds(
    expected,
    `accepted up to ${bytesText(border.lower)}, refused from ${bytesText(border.upper + 1)} on` +
      `${refusal ? ` (${attemptText(refusal)})` : ''}; padded with spaces, which are no tokens`,
  );
}

// Body sizes on a number line: where accepting ends, between the two readings of the documented size.

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

const BYTES_PER_MEGABYTE = 1_000_000;

export const payload: KindOfLimit<PayloadLimit> = {
  word: 'payload',
  documented: ({ value, upperReading }) =>
    `${number(value / BYTES_PER_MEGABYTE)} MB (${number(value)} bytes must pass, ${number(upperReading + 1)} must not)`,
  amount: (amount, count) => nouns(amount, count, 'byte'),
  row({ value }, own) {
    const documented = { value };
    const probe = closest(
      own.filter((one): one is PayloadFacts => one.kind === 'payload'),
      measurePayload,
    );
    if (!probe) return { documented, measured: null };
    return { documented, measured: measurePayload(probe), pictures: bytesPictures(probe), health: probe.health };
  },
};

export const payloadJudges: Judges<'payload' | 'refused-job' | 'inference-payload'> = {
  payload: { judge: (facts, { table }) => judgePayload(facts, limitRow(facts.limitId, 'content-bytes', table)) },
  'refused-job': { judge: (facts, { table }) => judgeRefusedJobs(facts, table) },
  'inference-payload': { judge: (facts) => ({ [INFERENCE_PAYLOAD]: judgeInferencePayload(facts) }) },
};

export const payloadDrawing: Drawing<'bytes'> = { bytes: renderBytes };
