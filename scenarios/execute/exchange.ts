/** One whole request and its response, as a ledger entry: for all that this process sends except held requests. */
import { type Dispatcher, request } from 'undici';
import type { LedgerEntry } from '../../schemas/ledger.ts';
import { deadline } from './deadline.ts';
import type { Sending } from './environment.ts';
import { headersFor, type OutgoingRequest, userAgentOf } from './requests.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface ExchangeOptions {
  readonly phase: string;
  readonly sending: Pick<Sending, 'addresses' | 'key'>;
  readonly clock: Stopwatch;
  readonly signal: AbortSignal;
  /** Milliseconds until the answer, body and all, is given up (status 0). */
  readonly timeoutMs: number;
  /** Whose connection is used; default: any. */
  readonly dispatcher?: Dispatcher;
  /** Called with each piece of the body as it arrives. */
  readonly each?: (text: string) => void;
}

/** Rejects only when the signal is aborted; a failure is an entry with status 0, with the body that had come until then. */
export async function exchange(
  one: OutgoingRequest,
  { phase, sending, clock, signal, timeoutMs, dispatcher, each = () => {} }: ExchangeOptions,
): Promise<{ readonly entry: LedgerEntry; readonly body: string }> {
  const sentMs = clock();
  const limit = deadline(signal, timeoutMs);
  let [status, error, body] = [0, '', ''];
  let firstByteMs: number | null = null;
  try {
    const response = await request(one.url, {
      method: one.method,
      headers: { ...headersFor(sending.key, one.body !== null), 'User-Agent': userAgentOf(sending.addresses) },
      body: one.body,
      signal: limit.signal,
      ...(dispatcher ? { dispatcher } : {}),
    });
    firstByteMs = clock();
    response.body.setEncoding('utf8');
    for await (const piece of response.body) {
      const text = String(piece);
      body += text;
      each(text);
    }
    status = response.statusCode;
  } catch (failure) {
    error = failure instanceof Error ? failure.name : String(failure);
  } finally {
    limit.over();
  }
  signal.throwIfAborted();
  const endMs = clock();
  const times = { sentMs, firstByteMs: firstByteMs ?? endMs, endMs };
  return { entry: { phase, operation: one.operation, ...times, status, error, note: '' }, body };
}
