/** The wall clock to a fraction of a millisecond, alike in all processes that read it so: it has whole ones only. */

/** Wall clock minus monotonic clock, ms: read at a tick of the wall clock. */
export function wallOffset(): number {
  const before = Date.now();
  let wallMs = before;
  while (wallMs === before) wallMs = Date.now();
  return wallMs - performance.now();
}
