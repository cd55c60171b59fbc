/** Requests of which only is known from when to when they reached the target. */

/**
 * The most of them that surely were within one window, whatever happened on the way.
 * @param fromMs when each was sent, sorted
 * @param toMs when each was answered, sorted; not of the same request at the same place
 */
export function mostWithin(fromMs: Float64Array, toMs: Float64Array, windowMs: number): number {
  let [most, left] = [0, 0];
  toMs.forEach((atMs, index) => {
    while ((fromMs[left] ?? Number.POSITIVE_INFINITY) <= atMs - windowMs) left += 1;
    most = Math.max(most, index + 1 - left);
  });
  return most;
}
