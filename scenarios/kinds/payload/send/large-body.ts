/** One large body of a payload probe: sent piece by piece, and written down with its size and what its answer showed. */
import type { BodyEncoding } from '../../../../schemas/facts.ts';
import type { SenderEnvironment, Sending } from '../../../execute/environment.ts';
import type { OwnLedger } from '../../../execute/own-ledger.ts';
import { headersFor, type OutgoingRequest, userAgentOf } from '../../../execute/requests.ts';
import { type Frame, paddingOf } from '../../../k6/lib/body.ts';
import { PADDING } from '../../../k6/lib/padding.ts';
import type { SendSized, Sized } from './confirm.ts';
import type { JobEcho } from './job-echo.ts';
import { encodeSize } from './note.ts';
import { payloadOutcome } from './outcome.ts';
import { type Uploaded, upload } from './upload.ts';

// The pieces of a large body, made as they are wanted, so that a body of any size takes no memory to speak of.

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

/** Timeout of a large body, and of every other request about it, ms. */
export const TIMEOUT_MS = 60_000;

export interface LargeBody {
  readonly phase: string;
  readonly request: OutgoingRequest;
  readonly pieces: Iterable<Buffer>;
  /** Of all pieces together. */
  readonly bytes: number;
  readonly encoding: BodyEncoding;
  /** With longer pauses between the pieces. Default: not. */
  readonly slow?: boolean;
  /** What the body of the response shows of a job; null where it is not read. */
  seen(answer: string): JobEcho | null;
}

/** Rejects only when the signal is aborted; a failure is status 0. */
export async function sendLargeBody(
  { phase, request, pieces, bytes, encoding, slow = false, seen }: LargeBody,
  { addresses, key }: Sending,
  signal: AbortSignal,
  all: OwnLedger,
): Promise<Pick<Uploaded, 'status' | 'error' | 'body'>> {
  const headers = { ...headersFor(key, true), 'User-Agent': userAgentOf(addresses) };
  const sending = { request, headers, pieces, bytes, encoding, slow, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
  const { status, error, body, sent, ...times } = await upload(sending);
  const note = encodeSize({ bytes, encoding, sent, seen: seen(body) });
  all.add({ phase, operation: request.operation, ...times, status, error, note });
  return { status, error, body };
}

interface Way {
  readonly sending: Sending;
  readonly env: SenderEnvironment;
  readonly all: OwnLedger;
}

/** Sends bodies of any size, with what `bodyOf` makes of one. Rejects as that does, and when the signal is aborted. */
export const sizedSender =
  (
    request: OutgoingRequest,
    { sending, env, all }: Way,
    bodyOf: (one: Sized) => Pick<LargeBody, 'pieces' | 'seen'> | Promise<Pick<LargeBody, 'pieces' | 'seen'>>,
  ): SendSized =>
  async (one) => {
    const body = { ...one, request, ...(await bodyOf(one)), slow: one.phase === 'retry' };
    const outcome = payloadOutcome(await sendLargeBody(body, sending, env.signal, all));
    env.progress(all.all().length);
    return outcome;
  };
