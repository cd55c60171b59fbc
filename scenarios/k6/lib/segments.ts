/** Execution segments: the parts that k6 makes of a test for several instances. Pure. */

/** The values of k6's two options for part `index` of `count`: `1/3:2/3`, and `0,1/3,2/3,1`. */
export function segmentOf(index: number, count: number): { readonly segment: string; readonly sequence: string } {
  const at = (part: number): string => (part === 0 ? '0' : part === count ? '1' : `${part}/${count}`);
  const all = Array.from({ length: count + 1 }, (_, part) => at(part));
  return { segment: `${at(index)}:${at(index + 1)}`, sequence: all.join() };
}

/** The part that such values mean. k6 may have reduced the fractions; without values there is one part. */
export function placeOf(segment: string, sequence: string): { readonly index: number; readonly count: number } {
  const count = Math.max(1, sequence.split(',').length - 1);
  const [over = '0', under = '1'] = (segment.split(':')[0] ?? '').split('/');
  return { index: Math.round((Number(over) / Number(under)) * count), count };
}
