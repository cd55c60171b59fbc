/**
 * One raw request through undici: no redirect is followed, nothing is retried, and it always ends, because a target
 * that hangs is a finding and not a reason to hang. Deadlines are in real time, also where a target's is virtual.
 */
import { setMaxListeners } from 'node:events';
import { type Dispatcher, errors } from 'undici';
import { errorCode } from '../../schemas/error-code.ts';
import { bodyIn } from '../../schemas/json.ts';
import { type Clock, machineClock } from './clock.ts';
import { KeptConnectionClosed } from './connections.ts';
import { watchLoop } from './own-loop.ts';
import { type Piece, type Reply, withoutMark } from './reply.ts';
import { TargetFailure } from './signals.ts';

/** Far more than any answer of ours needs; keeps a target that never stops talking from filling the memory. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** What is below is information on the way to the answer. */
const FIRST_FINAL_STATUS = 200;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface Chunk {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly headersMs: number;
  readonly chunks: readonly Chunk[];
  readonly endMs: number;
}

interface Receiving {
  /** Rejects with what undici says, or with the reason with which it was stopped. */
  readonly answer: Promise<Received>;
  /** Closes the connection and drops what was received so far; does nothing where the response is complete. */
  stop(reason: unknown): void;
}

/**
 * One exchange as pieces with their times. undici's own functions make a stream of every answer, which costs more than all
 * the rest of a request in-process, and put pieces together that came apart.
 * @param leavesAfter the client goes away when so many pieces of the answer have come, and has what it has then
 */
export function receive(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  now: () => number,
  leavesAfter = Number.POSITIVE_INFINITY,
): Receiving {
  let controller: Dispatcher.DispatchController | null = null;
  let over: { readonly reason: Error } | null = null;
  let stop: (reason: unknown) => void = () => undefined;
  const answer = new Promise<Received>((resolve, reject) => {
    let [status, headers, headersMs, length]: [number, Headers, number, number] = [0, {}, 0, 0];
    const chunks: Chunk[] = [];
    const whole = (): Received => ({ status, headers, headersMs, chunks, endMs: now() });
    const leave = (why: string): void => {
      over = { reason: new Error(why) };
      controller?.abort(over.reason);
    };
    stop = (reason) => {
      if (over) return;
      reject(reason);
      leave('stopped');
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(own) {
        controller = own;
        // It was stopped while it waited for a connection.
        if (over) own.abort(over.reason);
      },
      onRequestUpgrade(_controller, code, _headers, socket) {
        socket.destroy();
        reject(new Error(`it switched protocols (${code}) without a request for it`));
      },
      onResponseStart(_controller, code, given) {
        if (code < FIRST_FINAL_STATUS) return;
        [status, headers, headersMs] = [code, given, now()];
      },
      onResponseData(_controller, bytes) {
        if (over) return;
        length += bytes.byteLength;
        if (length > LONGEST_ANSWER) {
          reject(new Error(`the response is longer than ${LONGEST_ANSWER} bytes`));
          leave('too long');
          return;
        }
        chunks.push({ atMs: now(), bytes });
        if (chunks.length < leavesAfter) return;
        resolve(whole());
        leave('the client left');
      },
      onResponseEnd() {
        over ??= { reason: new Error('it is complete') };
        resolve(whole());
      },
      onResponseError: (_controller, error) => reject(error),
    };
    dispatcher.dispatch(options, handler);
  });
  return { answer, stop: (reason) => stop(reason) };
}

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

/** undici gives names in lower case. */
function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}

/** A failed connection as text; the system's error code is what an operator searches for. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an error without a message';
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = errorCode(cause);
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
  const { origin, pathname, search } = new URL(one.url);
  const name = `${one.method} ${pathname}`;
  const expected = `a complete HTTP response within ${one.timeoutMs / 1000} s`;
  const loop = wire.clock === machineClock ? watchLoop() : null;
  const sentMs = wire.clock.now();
  const options: Dispatcher.DispatchOptions = {
    origin,
    path: `${pathname}${search}`,
    method: one.method as Dispatcher.HttpMethod,
    headers: { ...one.headers },
    ...(one.body === undefined ? {} : { body: one.body }),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const receiving = receive(wire.dispatcher, options, wire.clock.now, one.leavesAfter);
  const interrupted = (): void => receiving.stop(signal.reason);
  // A check may have hundreds of requests on their way at once; that is no leak to warn about.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', interrupted, { once: true });
  const answered = new AbortController();
  wire.clock.sleep(one.timeoutMs, answered.signal).then(
    () => receiving.stop(TIMEOUT),
    () => undefined,
  );
  try {
    const { status, headers, headersMs, chunks, endMs } = await receiving.answer;
    const pieces = read(chunks, endMs);
    const fields = flat(headers);
    const text = pieces.length === 1 ? (pieces[0]?.text ?? '') : pieces.map((piece) => piece.text).join('');
    return {
      request: name,
      status,
      headers: fields,
      text,
      // Where nothing else is said, a link says which resource was made (RFC 9110, 10.2.2).
      json: text === '' ? fields.location : bodyIn(withoutMark(text)),
      sentMs,
      headersMs,
      endMs,
      pieces,
      ...(loop ? { stalledMs: loop.stop() } : {}),
    };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const onKept = error instanceof KeptConnectionClosed;
    const reason = error === TIMEOUT ? `none after ${one.timeoutMs / 1000} s` : reasonOf(error);
    const observed = onKept ? `${reason}; an earlier response had left the connection open` : reason;
    const failure = new TargetFailure({ what: `${name} gets a response`, expected, observed });
    failure.onKept = onKept;
    throw failure;
  } finally {
    answered.abort();
    signal.removeEventListener('abort', interrupted);
    loop?.stop();
  }
}

/** As text, with a byte order mark where there is one; a character whose bytes came in two pieces belongs to the second. */
function read(chunks: readonly Chunk[], endMs: number): Piece[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces = chunks.map(({ atMs, bytes }) => ({ atMs, text: decoder.decode(bytes, { stream: true }) }));
  const rest = decoder.decode();
  return rest === '' ? pieces : [...pieces, { atMs: endMs, text: rest }];
}
