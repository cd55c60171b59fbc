/** The control requests between the second wave and the first release (see execute/control.ts). */
import { Client } from 'undici';
import type { LedgerEntry } from '../../schemas/ledger.ts';
import { CONTROL_PHASE, CONTROL_REQUESTS, controlRequest } from '../execute/control.ts';
import type { Sending } from '../execute/environment.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import type { Stopwatch } from './clock.ts';
import { exchange } from './exchange.ts';

const PATIENCE_MS = 5000;

/** One that gets no answer is the last: the proof is then not to be had, and the rest can do without it. */
export async function sendControls(
  { operations }: ConcurrencyParameters,
  sending: Sending,
  clock: Stopwatch,
  signal: AbortSignal,
): Promise<LedgerEntry[]> {
  const request = controlRequest(sending.addresses, operations);
  const entries: LedgerEntry[] = [];
  while (entries.length < CONTROL_REQUESTS) {
    // A client of its own is a connection of its own.
    const dispatcher = new Client(new URL(request.url).origin);
    try {
      const options = { phase: CONTROL_PHASE, sending, clock, signal, timeoutMs: PATIENCE_MS, dispatcher };
      const { entry } = await exchange(request, options);
      entries.push(entry);
      if (entry.status === 0) break;
    } finally {
      await dispatcher.destroy();
    }
  }
  return entries;
}
