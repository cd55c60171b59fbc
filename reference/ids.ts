/** Identifiers from the injected random source, so that a seeded run is the same run twice. */

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `length` hexadecimal digits. */
export function hex(random: () => number, length: number): string {
  let text = '';
  while (text.length < length) {
    const bits = Math.floor(random() * 0x1_0000_0000);
    for (let shift = 24; shift >= 0; shift -= 8) text += BYTES[(bits >>> shift) & 0xff];
  }
  return text.length > length ? text.slice(0, length) : text;
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
  const [first, second, third, fourth] = [hex(random, 8), hex(random, 8), hex(random, 8), hex(random, 8)];
  const middle = `${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}`;
  return `${kind === 'runsync' ? 'sync-' : ''}${first}-${middle}-${third.slice(4)}${fourth}`;
}
