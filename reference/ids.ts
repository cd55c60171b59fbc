/** Identifiers from the injected random source, so that a seeded run is the same run twice. */

const DIGITS = Buffer.from('0123456789abcdef');
/** Written into and read out as one flat text: a text put together from pieces keeps the pieces for as long as it lives. */
const scratch = Buffer.alloc(64);

/** Writes eight digits from one random number. */
function eightDigits(random: () => number, at: number): void {
  const bits = Math.floor(random() * 0x1_0000_0000);
  for (let digit = 0; digit < 8; digit += 1) scratch[at + digit] = DIGITS[(bits >>> (28 - 4 * digit)) & 0xf] ?? 0;
}

/** `length` hexadecimal digits, at most 56. */
export function hex(random: () => number, length: number): string {
  for (let at = 0; at < length; at += 8) eightDigits(random, at);
  return scratch.toString('latin1', 0, length);
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

const SYNC = Buffer.from('sync-');
const [DASH = 0] = Buffer.from('-');
const DASHES = [8, 13, 18, 23];
const UUID_LENGTH = 36;

/** A job's id: the shape of a UUID, `sync-` before it where it came through runsync. Clients never take it apart. */
export function jobId(random: () => number, kind: 'run' | 'runsync'): string {
  for (let at = 0; at < 32; at += 8) eightDigits(random, SYNC.length + at);
  for (const dash of DASHES) {
    scratch.copyWithin(SYNC.length + dash + 1, SYNC.length + dash, SYNC.length + UUID_LENGTH - 1);
    scratch[SYNC.length + dash] = DASH;
  }
  SYNC.copy(scratch);
  return scratch.toString('latin1', kind === 'runsync' ? 0 : SYNC.length, SYNC.length + UUID_LENGTH);
}
