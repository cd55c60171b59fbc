/** k6's words for a request without an answer, made the same for the same cause. */

const LONGEST = 120;

/**
 * A peer that closes while a body is being sent is seen as a reset, or, when the reading half of the client noticed
 * first, as the use of a connection that the client itself has closed. Both are the same thing.
 */
export function errorText(error: string): string {
  const same = error.includes('use of closed network connection') ? 'connection reset while sending' : error;
  return same.slice(0, LONGEST);
}

/** Whether an entry's error is that of a connection which was cut: k6's codes for it, HTTP/2's, and the words. */
export function isCut(error: string): boolean {
  return /^(1201|1220|16\d\d)\b|reset|EOF/.test(error);
}
