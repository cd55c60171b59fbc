/**
 * Tells a GET that may have been sent twice. Go's client, and so k6, repeats one without a word when the connection it
 * had used before breaks ahead of the answer; the server may then have counted both. All that shows is that writing the
 * request took long: it lasts until the first attempt has failed and a new connection is made, two round trips or so,
 * where it otherwise takes as long as copying a few bytes.
 */

/** In the ledger, in place of the error of the answer that nobody saw. */
export const SENT_TWICE = 'sent twice';

/** What k6 tells of one answer, ms. */
export interface SendTimings {
  readonly sending: number;
  readonly waiting: number;
}

/** On a machine that is busy, copying a few bytes may take as long without meaning anything. */
const LEAST_MS = 2;
/** Of the fastest answer so far, which was a round trip at least. */
const SHARE_OF_ROUND_TRIP = 0.5;

/** A judge for the requests of one connection after the other, in the order of their answers. */
export function sentTwiceJudge(): (timings: SendTimings) => boolean {
  let fastestMs = Number.POSITIVE_INFINITY;
  return ({ sending, waiting }) => {
    if (waiting > 0) fastestMs = Math.min(fastestMs, waiting);
    return Number.isFinite(fastestMs) && sending > Math.max(LEAST_MS, fastestMs * SHARE_OF_ROUND_TRIP);
  };
}
