/** What became of a large body, in words. */
import type { BodyEncoding, PayloadAttempt } from '../../../schemas/facts.ts';
import { plural } from '../../../schemas/thousands.ts';
import type { Side } from './sides.ts';

export const bytesText = (count: number): string => plural(count, 'byte');

export const ENCODING_WORDS: Readonly<Record<BodyEncoding, string>> = {
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
    case 'reset':
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
