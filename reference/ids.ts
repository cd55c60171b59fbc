/** Identifiers from the injected random source, so that a seeded run is the same run twice. */

const eightDigits = (random: () => number): string =>
  Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');

/** `length` hexadecimal digits. */
export function hex(random: () => number, length: number): string {
  let digits = '';
  while (digits.length < length) digits += eightDigits(random);
  return digits.slice(0, length);
}

/** Ids that begin by chance and go on by counting: cheaper than chance each time, for what every answer carries. */
export function numbered(prefix: string, random: () => number): () => string {
  const start = prefix + hex(random, 12);
  let count = 0;
  return () => {
    count += 1;
    return start + count.toString(16).padStart(12, '0');
  };
}

/** A job's id: the shape of a UUID, `sync-` before it where it came through runsync. Clients never take it apart. */
export function jobId(random: () => number, kind: 'run' | 'runsync'): string {
  const uuid = hex(random, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return kind === 'runsync' ? `sync-${uuid}` : uuid;
}
