/**
 * One exchange on a dispatcher of undici, as pieces with their times. undici's own functions make a stream of every
 * answer, which costs more than all the rest of a request in-process, and puts pieces together that came apart.
 */
import type { Dispatcher } from 'undici';

/** Far more than any answer of ours needs; keeps a target that never stops talking from filling the memory. */
const LONGEST_ANSWER = 64 * 1024 * 1024;
/** What is below is information on the way to the answer. */
const FIRST_FINAL_STATUS = 200;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Chunk {
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly headersMs: number;
  readonly chunks: readonly Chunk[];
  readonly endMs: number;
}

export interface Receiving {
  /** Rejects with what undici says, or with the reason with which it was stopped. */
  readonly answer: Promise<Received>;
  /** Closes the connection. Whatever came so far is forgotten; nothing happens where the answer is complete. */
  stop(reason: unknown): void;
}

/** @param leavesAfter the client goes away when so many pieces of the answer have come, and has what it has then */
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
        reject(new Error(`it switched protocols (${code}) without being asked to`));
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
