/** Numbers that depend on nothing but their seed, so that the same question gets the same answer. */

/** FNV-1a over UTF-16 units, 32 bits. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
