/**
 * Attempts of a payload probe, sorted by the encoding of the bodies: what stands for each size, and where the border of
 * each side lies. Nothing here judges them.
 */
import type { BodyEncoding, BytesPicture, PayloadAttempt, PayloadFacts } from '../../../schemas/facts.ts';
import { plural } from '../../../schemas/thousands.ts';

/** The outcome of a large body as text. */
export const bytesText = (count: number): string => plural(count, 'byte');

const ENCODING_WORDS: Readonly<Record<BodyEncoding, string>> = {
  'content-length': 'with Content-Length',
  chunked: 'chunked',
};

/** `10,000,000 bytes chunked: refused with 413`. */
export function attemptText(attempt: PayloadAttempt): string {
  return `${bytesText(attempt.bytes)} ${ENCODING_WORDS[attempt.encoding]}: ${outcomeText(attempt)}`;
}

function outcomeText({ outcome, status, error, sent }: PayloadAttempt): string {
  switch (outcome) {
    case 'accepted':
      return sent === 'part' ? `answered ${status} before its end was sent` : `answered ${status}`;
    case 'refused':
      return `refused with ${status}`;
    case 'refused-otherwise':
      return `refused with ${status}, which does not name its size`;
    case 'broken-off':
      if (status !== 0) return `answered ${status}`;
      if (sent === null) return 'the connection was cut while sending';
      return sent === 'part'
        ? 'the connection was cut before its end was sent'
        : 'the connection was cut after all of it was sent';
    case 'unanswered':
      return 'no answer in time';
    case 'other':
      return status === 0 ? `no answer (${error})` : `answered ${status}`;
  }
}

/** Where its border lies; empty where that is not known. */
export function borderText({ border }: Side): string {
  if (!border) return '';
  if (border.upper === null) return `the limit is above ${bytesText(border.lower)}`;
  if (border.upper === border.lower) return `the limit is ${bytesText(border.lower)}`;
  return `the limit is between ${bytesText(border.lower)} and ${bytesText(border.upper)}`;
}

/** `lower` equals `upper` for a point; `upper` is null when no bound was found. Bytes of a body. */
interface Border {
  readonly lower: number;
  readonly upper: number | null;
}

export interface Side {
  readonly encoding: BodyEncoding;
  /** One for each size, in the order sent. */
  readonly attempts: readonly PayloadAttempt[];
  /** Whether the smallest body was accepted; without that no refusal is about the size. */
  readonly taken: boolean;
  /** null: none was accepted, or accepted and refused sizes are mixed. */
  readonly border: Border | null;
}

const ENCODINGS: readonly BodyEncoding[] = ['content-length', 'chunked'];

/** The sides of which anything was sent. */
export function sidesOf(facts: Pick<PayloadFacts, 'attempts'>): readonly Side[] {
  return ENCODINGS.flatMap((encoding): Side[] => {
    const attempts = settled(facts.attempts.filter((one) => one.encoding === encoding));
    const smallest = attempts.reduce<PayloadAttempt | null>(
      (least, one) => (least === null || one.bytes < least.bytes ? one : least),
      null,
    );
    if (smallest === null) return [];
    return [{ encoding, attempts, taken: smallest.outcome === 'accepted', border: borderOf(attempts, facts) }];
  });
}

/**
 * A body that was retried stands for its size. Where each of those was refused by a response, the cut connections at
 * other sizes were the same refusal, lost on its way.
 */
function settled(attempts: readonly PayloadAttempt[]): PayloadAttempt[] {
  const isRetry = attempts.filter((one) => one.isRetry);
  const answered = ({ outcome }: PayloadAttempt) => outcome === 'refused' || outcome === 'refused-otherwise';
  const clean = isRetry.every(answered) ? isRetry[0] : undefined;
  const sizes = [...new Set(attempts.map((one) => one.bytes))];
  return sizes.flatMap((bytes) => {
    const own = attempts.filter((one) => one.bytes === bytes);
    const resent = own.filter((one) => one.isRetry);
    const stands = resent.findLast((one) => one.outcome !== 'broken-off') ?? resent.at(-1) ?? own[0];
    if (!stands) return [];
    return stands.outcome === 'broken-off' && stands.status === 0 && clean
      ? { ...stands, outcome: clean.outcome, status: clean.status }
      : stands;
  });
}

export const isRefusal = ({ outcome }: Pick<PayloadAttempt, 'outcome'>): boolean =>
  outcome === 'refused' || outcome === 'refused-otherwise' || outcome === 'broken-off';

/** Whether a refusal is certain: 413 and 400 are, and any other is where the target still accepts bodies afterwards. */
export function isSure(refusal: PayloadAttempt, { attempts }: Pick<PayloadFacts, 'attempts'>): boolean {
  if (refusal.outcome === 'refused') return true;
  const last = attempts.findLastIndex((one) => one.bytes === refusal.bytes && one.encoding === refusal.encoding);
  return attempts.some((one, index) => index > last && one.outcome === 'accepted' && one.bytes < refusal.bytes);
}

function borderOf(attempts: readonly PayloadAttempt[], facts: Pick<PayloadFacts, 'attempts'>): Border | null {
  const accepted = attempts.filter((one) => one.outcome === 'accepted').map((one) => one.bytes);
  const refused = attempts.filter((one) => isRefusal(one) && isSure(one, facts)).map((one) => one.bytes);
  if (accepted.length === 0) return null;
  const largest = Math.max(...accepted);
  if (refused.length === 0) return { lower: largest, upper: null };
  const smallest = Math.min(...refused);
  return largest < smallest ? { lower: largest, upper: smallest - 1 } : null;
}

/**
 * Bytes of a body, over both sides: what is surely taken is what the smaller one takes, and what is surely refused is
 * what the larger one refuses. A side of which not even a small body is taken has no border.
 */
export function measurePayload(facts: Pick<PayloadFacts, 'attempts'>): Border | null {
  const borders = sidesOf(facts).flatMap(({ taken, border }) => (taken && border ? [border] : []));
  if (borders.length === 0) return null;
  const lower = Math.min(...borders.map((one) => one.lower));
  const uppers = borders.flatMap((one) => one.upper ?? []);
  return { lower, upper: uppers.length < borders.length ? null : Math.max(...uppers) };
}

/** One for each side of which more than a small body was taken. */
export function bytesPictures(facts: PayloadFacts): readonly BytesPicture[] {
  return sidesOf(facts)
    .filter(({ taken }) => taken)
    .map(({ encoding, attempts }) => ({
      kind: 'bytes',
      accept: facts.acceptBytes,
      refuse: facts.refuseBytes,
      encoding,
      attempts: attempts
        .filter((one) => one.outcome === 'accepted' || isRefusal(one))
        .map((one) => ({ bytes: one.bytes, accepted: one.outcome === 'accepted' })),
    }));
}
