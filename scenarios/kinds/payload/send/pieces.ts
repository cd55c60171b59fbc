/** The pieces of a large body, made as they are wanted, so that a body of any size takes no memory to speak of. */
import { type Frame, paddingOf } from '../../../k6/lib/body.ts';
import { PADDING } from '../../../k6/lib/padding.ts';

const PIECE_BYTES = 256 * 1024;
const PADDING_PIECE = Buffer.alloc(PIECE_BYTES, PADDING);
const SPACE_PIECE = Buffer.alloc(PIECE_BYTES, ' ');

/** The body that the k6 script would build at once. Throws on fewer bytes than the frame has. */
export function piecesOf(frame: Frame, bytes: number): Iterable<Buffer> {
  return around(frame.head, paddingOf(frame, bytes), frame.tail, PADDING_PIECE);
}

/**
 * A JSON object with spaces before its closing brace, which mean nothing to any reader of JSON and are no tokens.
 * Throws on fewer bytes than the text has.
 */
export function spacedPieces(json: string, bytes: number): Iterable<Buffer> {
  const own = Buffer.byteLength(json);
  if (bytes < own) throw new RangeError(`a body has at least ${own} bytes, not ${bytes}`);
  return around(json.slice(0, -1), bytes - own, json.slice(-1), SPACE_PIECE);
}

function* around(head: string, padding: number, tail: string, piece: Buffer): Generator<Buffer> {
  yield Buffer.from(head);
  for (let left = padding; left > 0; left -= PIECE_BYTES) yield left < PIECE_BYTES ? piece.subarray(0, left) : piece;
  yield Buffer.from(tail);
}
