/**
 * Whole requests to an operation that disturbs nobody, each on a connection of its own: the control requests between
 * the second wave and the first release (see execute/control.ts), and looks at how long an answer takes.
 */
import { Client } from 'undici';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import { CONTROL_PHASE, CONTROL_REQUESTS, controlRequest } from '../../../execute/control.ts';
import type { Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import type { Stopwatch } from '../../../execute/stopwatch.ts';
import type { ConcurrencyParameters } from '../../../probe.ts';

const PATIENCE_MS = 5000;

/** One of them. Rejects only when the signal is aborted. */
export async function sendControl(
  phase: string,
  { operations }: Pick<ConcurrencyParameters, 'operations'>,
  sending: Sending,
  clock: Stopwatch,
  signal: AbortSignal,
): Promise<LedgerEntry> {
  const request = controlRequest(sending.addresses, operations);
  // A client of its own is a connection of its own.
  const dispatcher = new Client(new URL(request.url).origin);
  try {
    const options = { phase, sending, clock, signal, timeoutMs: PATIENCE_MS, dispatcher };
    return (await exchange(request, options)).entry;
  } finally {
    await dispatcher.destroy();
  }
}

/** One that gets no answer is the last: the proof is then not to be had, and the rest can do without it. */
export async function sendControls(
  parameters: ConcurrencyParameters,
  sending: Sending,
  clock: Stopwatch,
  signal: AbortSignal,
): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  while (entries.length < CONTROL_REQUESTS) {
    const entry = await sendControl(CONTROL_PHASE, parameters, sending, clock, signal);
    entries.push(entry);
    if (entry.status === 0) break;
  }
  return entries;
}
