/**
 * Detects a GET that was sent twice. Go's client, and so k6, silently repeats one when the connection it had used
 * before breaks ahead of the response; the server may then have counted both. It shows in the timings: `blocked`, which
 * is how long it took to get the last connection, is that of a new one, while `connecting` and `sending` still count
 * from the broken one. A pause of this process makes one of them long, and hardly ever both.
 */

/** In the ledger, in place of the error of the response that was not seen. */
export const SENT_TWICE = 'sent twice';

/** The timings of k6 for one request, ms. */
export interface SendTimings {
  readonly blocked: number;
  readonly connecting: number;
  readonly sending: number;
}

/**
 * An open connection is available in a hundredth of a millisecond, on a busy machine in up to nine; a new one takes
 * longer also to this machine, twenty at least as measured.
 */
const LEAST_MS = 0.1;
/** Of the quickest new connection so far, which may have been the first: those after it take half of its time. */
const SHARE_OF_CONNECTING = 0.4;

/**
 * A judge for the requests of one connection after the other; a request that opened a connection shows how long that
 * takes.
 */
export function sentTwiceJudge(): (timings: SendTimings) => boolean {
  let quickestMs = Number.POSITIVE_INFINITY;
  return ({ blocked, connecting, sending }) => {
    if (connecting > 0) quickestMs = Math.min(quickestMs, connecting);
    const isNew = blocked > Math.max(LEAST_MS, Number.isFinite(quickestMs) ? SHARE_OF_CONNECTING * quickestMs : 0);
    return connecting === 0 && isNew && sending > blocked;
  };
}
