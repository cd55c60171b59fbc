/** One whole request and its answer, as a ledger entry: for what is sent besides the held requests. */
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
}

/** Rejects only when the signal is aborted; a failure is an entry with status 0. */
export async function exchange(
  one: OutgoingRequest,
  { phase, sending, clock, signal, timeoutMs, dispatcher }: ExchangeOptions,
): Promise<{ readonly entry: LedgerEntry; readonly body: string }> {
  const sentMs = clock();
  const limit = deadline(signal, timeoutMs);
  const answer = await request(one.url, {
    method: one.method,
    headers: { ...headersFor(sending.key, one.body !== null), 'User-Agent': userAgentOf(sending.addresses) },
    body: one.body,
    signal: limit.signal,
    ...(dispatcher ? { dispatcher } : {}),
  })
    .then(async (response) => {
      const firstByteMs = clock();
      return { status: response.statusCode, firstByteMs, body: await response.body.text(), error: '' };
    })
    .catch((error: Error) => ({ status: 0, firstByteMs: clock(), body: '', error: error.name }))
    .finally(limit.over);
  signal.throwIfAborted();
  const { status, firstByteMs, error, body } = answer;
  const times = { sentMs, firstByteMs, endMs: clock() };
  return { entry: { phase, operation: one.operation, ...times, status, error, note: '' }, body };
}
