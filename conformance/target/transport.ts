/**
 * One raw request through undici: no redirect is followed, nothing is tried again, and it always ends, because a target
 * that hangs is a finding and not a reason to hang. Deadlines are in real time, also where a target's is virtual.
 */
import { setMaxListeners } from 'node:events';
import { type Dispatcher, errors, request as undiciRequest } from 'undici';
import { type Clock, machineClock } from './clock.ts';
import { watchLoop } from './own-loop.ts';
import { type Piece, parseJson, type Reply } from './reply.ts';
import { TargetFailure } from './signals.ts';

/** Far more than any answer of ours needs; keeps a target that never stops talking from filling the memory. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

export interface WireRequest {
  readonly method: string;
  /** Absolute, without credentials in it. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** The client goes away when so many pieces of the answer have come. */
  readonly leavesAfter?: number;
}

export interface Wire {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
}

/** A TLS library can be very talkative. */
const LONGEST_REASON = 120;

const TIMEOUT = new Error('timeout');

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** A failed connection in words; the system's error code is what an operator searches for. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error without words';
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const whole = (cause.message || error.message).replaceAll(/\s+/g, ' ').trim();
  const message = whole.length > LONGEST_REASON ? `${whole.slice(0, LONGEST_REASON)}…` : whole;
  if (cause instanceof errors.SocketError) return `the connection was closed (${message})`;
  return code && !message.includes(code) ? `${code}: ${message}` : message || cause.name;
}

/**
 * Sends one request and reads the whole answer.
 *
 * @throws TargetFailure when no complete HTTP answer came in time; the signal's reason when it was aborted.
 */
export async function send(wire: Wire, one: WireRequest, signal: AbortSignal): Promise<Reply> {
  signal.throwIfAborted();
  const { pathname } = new URL(one.url);
  const name = `${one.method} ${pathname}`;
  // One controller for both reasons to stop: `AbortSignal.any` costs more than all the rest of a request in-process.
  const stop = new AbortController();
  const interrupted = (): void => stop.abort(signal.reason);
  // A check may have hundreds of requests on their way at once; that is no leak to warn about.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', interrupted, { once: true });
  const timer = setTimeout(() => stop.abort(TIMEOUT), one.timeoutMs);
  const expected = `a complete HTTP answer within ${one.timeoutMs / 1000} s`;
  const loop = wire.clock === machineClock ? watchLoop() : null;
  const sentMs = wire.clock.now();
  try {
    const answer = await undiciRequest(one.url, {
      method: one.method as Dispatcher.HttpMethod,
      headers: { ...one.headers },
      ...(one.body === undefined ? {} : { body: one.body }),
      dispatcher: wire.dispatcher,
      signal: stop.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const headersMs = wire.clock.now();
    const pieces = await read(answer.body, wire.clock, one.leavesAfter);
    const text = pieces.map((piece) => piece.text).join('');
    const endMs = wire.clock.now();
    const headers = flat(answer.headers);
    return {
      request: name,
      status: answer.statusCode,
      headers,
      text,
      json: parseJson(text),
      sentMs,
      headersMs,
      endMs,
      pieces,
      ...(loop ? { stalledMs: loop.stop() } : {}),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const observed = stop.signal.aborted ? `none after ${one.timeoutMs / 1000} s` : reasonOf(error);
    throw new TargetFailure({ what: `${name} is answered`, expected, observed });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupted);
    loop?.stop();
  }
}

/** To the end, or until so many pieces are there: leaving the loop closes the connection. */
async function read(body: AsyncIterable<Uint8Array>, clock: Clock, most?: number): Promise<Piece[]> {
  const decoder = new TextDecoder();
  const pieces: Piece[] = [];
  let length = 0;
  for await (const bytes of body) {
    length += bytes.byteLength;
    if (length > LONGEST_ANSWER) throw new Error(`the answer is longer than ${LONGEST_ANSWER} bytes`);
    pieces.push({ atMs: clock.now(), text: decoder.decode(bytes, { stream: true }) });
    if (pieces.length === most) break;
  }
  const rest = decoder.decode();
  if (rest !== '') pieces.push({ atMs: clock.now(), text: rest });
  return pieces;
}
