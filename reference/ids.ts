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

/** A job's id: the shape of a UUID, `sync-` before it where it came through runsync. Clients never take it apart. */
export function jobId(random: () => number, kind: 'run' | 'runsync'): string {
  const digits = hex(random, 32);
  const parts = [0, 8, 12, 16, 20].map((from, index, all) => digits.slice(from, all[index + 1]));
  return `${kind === 'runsync' ? 'sync-' : ''}${parts.join('-')}`;
}
