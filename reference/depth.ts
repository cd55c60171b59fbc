/**
 * How deep a JSON text is nested. JSON.parse takes any depth, but it needs seconds and hundreds of megabytes for 20 MB of
 * brackets, and JSON.stringify and every other recursive walk run out of stack some thousand levels down, which would
 * make a body that was accepted an error of ours when it is answered.
 */

/** Characters that one level takes at the least: a bracket that opens it and one that closes it. */
const LEVEL_CHARACTERS = 2;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string ends that begins at `from`; the end of the text where it doesn't. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((at - escapes) % 2 === 0) return at;
  }
  return text.length;
}

/**
 * Whether arrays and objects lie more than `most` deep in each other. Strings are leapt over, and a text too short to be
 * that deep isn't looked at, so that it costs next to nothing where bodies are small or long because of their strings.
 * For a text that isn't JSON the answer means nothing.
 */
export function deeperThan(text: string, most: number): boolean {
  if (text.length <= most * LEVEL_CHARACTERS) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === ARRAY || character === OBJECT) {
      depth += 1;
      if (depth > most) return true;
    } else if (character === ARRAY_END || character === OBJECT_END) depth -= 1;
  }
  return false;
}
