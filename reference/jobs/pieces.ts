/**
 * A chunk that is too long for one piece of a stream. A text comes in several texts, anything else as the pieces of its
 * JSON text; either way the pieces joined are the whole.
 */

const QUOTES = 2;
const ESCAPED = 6;
const SHORT_ESCAPES = new Set(['"', '\\', '\b', '\f', '\n', '\r', '\t']);

/** Bytes one code point takes within a JSON text. */
function bytesOf(point: string): number {
  if (SHORT_ESCAPES.has(point)) return 2;
  const code = point.codePointAt(0) ?? 0;
  const loneSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code < 0x20 || loneSurrogate ? ESCAPED : Buffer.byteLength(point);
}

function cut(text: string, maxBytes: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  let at = 0;
  let bytes = QUOTES;
  for (const point of text) {
    const more = bytesOf(point);
    if (bytes + more > maxBytes && at > from) {
      pieces.push(text.slice(from, at));
      from = at;
      bytes = QUOTES;
    }
    bytes += more;
    at += point.length;
  }
  return [...pieces, text.slice(from)];
}

/** The chunk itself where its JSON takes at most `maxBytes`, else pieces that do, of one character at the least. */
export function piecesOf(chunk: unknown, maxBytes: number): unknown[] {
  const json = JSON.stringify(chunk) ?? 'null';
  if (Buffer.byteLength(json) <= maxBytes) return [chunk];
  return cut(typeof chunk === 'string' ? chunk : json, maxBytes);
}
