/** A valid job of exactly so many bytes; most of it is padding that the handler ignores. */

const HEAD = '{"input":{"echo":1,"pad":"';
const TAIL = '"}}';
const PAD = 0x61;

/** The smallest body that can be built. */
export const SMALLEST_BODY = HEAD.length + TAIL.length;

/** Throws on fewer than `SMALLEST_BODY` bytes. */
export function bodyOf(bytes: number): ArrayBuffer {
  if (bytes < SMALLEST_BODY) throw new RangeError(`a body has at least ${SMALLEST_BODY} bytes, not ${bytes}`);
  const body = new Uint8Array(bytes).fill(PAD);
  write(body, HEAD, 0);
  write(body, TAIL, bytes - TAIL.length);
  return body.buffer;
}

/** ASCII only, so that a character is a byte. */
function write(into: Uint8Array, text: string, at: number): void {
  for (let index = 0; index < text.length; index += 1) into[at + index] = text.charCodeAt(index);
}
