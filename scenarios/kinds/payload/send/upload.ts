/**
 * Sends one large body from node:http, piece by piece as the target takes it, and reads a response that comes before
 * its end. A target that refuses early closes while more is on the way, so its response and the reset race, and a write
 * to a connection that was just closed loses the response: so there is a pause after each piece, in which it is read.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../../../schemas/error-code.ts';
import type { BodyEncoding } from '../../../../schemas/facts.ts';
import { deadline } from '../../../execute/deadline.ts';
import type { OutgoingRequest } from '../../../execute/requests.ts';
import type { Stopwatch } from '../../../execute/stopwatch.ts';

export interface Upload {
  readonly request: OutgoingRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: Iterable<Buffer>;
  /** Of all pieces together. */
  readonly bytes: number;
  readonly encoding: BodyEncoding;
  /** With longer pauses, one of them after the header. */
  readonly slow: boolean;
  readonly clock: Stopwatch;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface Uploaded {
  /** 0 when no answer came; `error` is then `timeout` or the system's name of the fault. */
  readonly status: number;
  readonly error: string;
  readonly body: string;
  /** How much of the body was with the operating system when it was over. */
  readonly sent: 'part' | 'whole';
  readonly sentMs: number;
  readonly firstByteMs: number;
  readonly endMs: number;
}

/** Long enough for a response to the header. */
const AFTER_HEADER_MS = 150;
const AFTER_PIECE_MS = { usual: 2, slow: 10 } as const;

/** Rejects only when the signal is aborted; a failure is status 0. */
export async function upload(one: Upload): Promise<Uploaded> {
  const { clock, encoding, bytes } = one;
  const limit = deadline(one.signal, one.timeoutMs);
  const length = encoding === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': bytes };
  const { request: open } = one.request.url.startsWith('https:') ? https : http;
  const request = open(one.request.url, {
    method: one.request.method,
    headers: { ...one.headers, ...length },
    agent: false,
    signal: limit.signal,
  });
  const times = { sentMs: clock(), firstByteMs: 0 };
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      times.sentMs = clock();
    });
  });
  request.once('response', () => {
    times.firstByteMs = clock();
  });
  const answer = answerOf(request);
  const refused = { yet: false };
  request.once('response', ({ statusCode = 0 }) => {
    refused.yet = statusCode >= 300;
  });
  const over = answer.then(() => undefined);
  const isFed = await feed(request, one, over, () => refused.yet);
  const { status, error, body } = await answer;
  // After the last byte of a Content-Length there is no end to send.
  const sent = request.writableFinished || (isFed && encoding === 'content-length') ? 'whole' : 'part';
  request.destroy();
  limit.over();
  one.signal.throwIfAborted();
  const endMs = clock();
  return {
    status,
    error: status === 0 && limit.signal.aborted ? 'timeout' : error,
    body,
    sent,
    sentMs: times.sentMs,
    firstByteMs: times.firstByteMs || endMs,
    endMs,
  };
}

type Answer = Pick<Uploaded, 'status' | 'error' | 'body'>;

/** Resolves when the answer, or the connection, is over. Once an answer is here, a cut connection takes nothing back. */
function answerOf(request: http.ClientRequest): Promise<Answer> {
  return new Promise((resolve) => {
    let answered = false;
    request.once('response', (response) => {
      answered = true;
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => {});
      response.once('close', () => {
        resolve({ status: response.statusCode ?? 0, error: '', body: Buffer.concat(parts).toString() });
      });
    });
    const failed = (error: string) => {
      if (!answered) resolve({ status: 0, error, body: '' });
    };
    request.on('error', (error) => failed(errorCode(error) ?? error.message));
    request.once('close', () => failed('closed'));
  });
}

/** Writes until the answer makes the rest useless; whether all pieces were written. */
async function feed(
  request: http.ClientRequest,
  { pieces, slow }: Upload,
  over: Promise<void>,
  refused: () => boolean,
): Promise<boolean> {
  let ended = false;
  void over.then(() => {
    ended = true;
  });
  if (slow) {
    request.flushHeaders();
    await Promise.race([over, delay(AFTER_HEADER_MS)]);
  }
  let unwritten = 0;
  for (const piece of pieces) {
    if (ended || refused()) return false;
    unwritten += 1;
    const written = new Promise<void>((resolve) =>
      request.write(piece, (error) => {
        if (!error) unwritten -= 1;
        resolve();
      }),
    );
    await Promise.race([written, over]);
    await Promise.race([over, delay(slow ? AFTER_PIECE_MS.slow : AFTER_PIECE_MS.usual)]);
  }
  if (!ended) request.end();
  return unwritten === 0;
}
