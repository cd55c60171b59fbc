/** One large body of a payload probe: sent piece by piece, and written down with its size and what its answer showed. */
import type { BodyEncoding } from '../../../../schemas/facts.ts';
import type { Sending } from '../../../execute/environment.ts';
import type { OwnLedger } from '../../../execute/own-ledger.ts';
import { headersFor, type OutgoingRequest, userAgentOf } from '../../../execute/requests.ts';
import { encodeSize } from './note.ts';
import type { SeenJob } from './seen.ts';
import { type Uploaded, upload } from './upload.ts';

/** Until a large body is given up, and whatever else is asked about it, ms. */
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
  /** What the body of the answer shows of a job; null where it is not looked into. */
  seen(answer: string): SeenJob | null;
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
