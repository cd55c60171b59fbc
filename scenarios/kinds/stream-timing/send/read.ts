/** One request whose answer is read as it comes, as a ledger entry with the moments of its tokens. */
import { request } from 'undici';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import { deadline } from '../../../execute/deadline.ts';
import type { Sending } from '../../../execute/environment.ts';
import { headersFor, type OutgoingRequest, userAgentOf } from '../../../execute/requests.ts';
import type { Stopwatch } from '../../../execute/stopwatch.ts';
import { noteOf } from './note.ts';
import type { TokenReader } from './tokens.ts';

export interface ReadOptions {
  readonly phase: string;
  readonly sending: Pick<Sending, 'addresses' | 'key'>;
  readonly clock: Stopwatch;
  readonly signal: AbortSignal;
  /** Milliseconds until the answer, body and all, is given up (status 0). */
  readonly timeoutMs: number;
  /** Absent: there are no tokens to look for. */
  readonly tokens?: TokenReader;
}

export interface ReadAnswer {
  readonly entry: LedgerEntry;
  readonly body: string;
  /** How many tokens it brought. */
  readonly tokens: number;
}

/** Rejects only when the signal is aborted; a failure is an entry with status 0, with what had come until then. */
export async function readAnswer(one: OutgoingRequest, options: ReadOptions): Promise<ReadAnswer> {
  const { phase, sending, clock, signal, timeoutMs, tokens } = options;
  const arrivals: number[] = [];
  const sentMs = clock();
  let [status, error, body] = [0, '', ''];
  let firstByteMs: number | null = null;
  const limit = deadline(signal, timeoutMs);
  try {
    const response = await request(one.url, {
      method: one.method,
      headers: { ...headersFor(sending.key, one.body !== null), 'User-Agent': userAgentOf(sending.addresses) },
      body: one.body,
      signal: limit.signal,
    });
    firstByteMs = clock();
    response.body.setEncoding('utf8');
    for await (const piece of response.body) {
      const atMs = clock();
      const text = String(piece);
      body += text;
      for (let token = tokens?.read(text) ?? 0; token > 0; token -= 1) arrivals.push(atMs);
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
  const entry = { phase, operation: one.operation, ...times, status, error, note: noteOf(arrivals) };
  return { entry, body, tokens: arrivals.length };
}
