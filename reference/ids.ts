/** Identifiers from the injected random source, so that a seeded run is the same run twice. */

/** `length` hexadecimal digits. */
export function hex(random: () => number, length: number): string {
  let text = '';
  while (text.length < length)
    text += Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, length);
}

/** A job's id: the shape of a UUID, `sync-` before it where it came through runsync. Clients never take it apart. */
export function jobId(random: () => number, kind: 'run' | 'runsync'): string {
  const digits = hex(random, 32);
  const parts = [0, 8, 12, 16, 20].map((from, index, all) => digits.slice(from, all[index + 1]));
  return `${kind === 'runsync' ? 'sync-' : ''}${parts.join('-')}`;
}
