/** Numbers of which only is known from where to where they lie, as when a request reached the target. */
import type { Bounds } from './rate-facts.ts';

/** From the least of them to the greatest. */
export const hullOf = (bounds: readonly Bounds[]): Bounds => ({
  lower: Math.min(...bounds.map(({ lower }) => lower)),
  upper: Math.max(...bounds.map(({ upper }) => upper)),
});

/**
 * The most requests that certainly were within one window, however long they were on the way.
 * @param fromMs when each was sent, sorted
 * @param toMs when each was answered, sorted; not of the same request at the same place
 */
export function mostWithin(fromMs: Float64Array, toMs: Float64Array, windowMs: number): number {
  let [most, left] = [0, 0];
  for (let index = 0; index < toMs.length; index += 1) {
    const sinceMs = (toMs[index] ?? 0) - windowMs;
    while ((fromMs[left] ?? Number.POSITIVE_INFINITY) <= sinceMs) left += 1;
    if (index + 1 - left > most) most = index + 1 - left;
  }
  return most;
}
