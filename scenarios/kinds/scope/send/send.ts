/** One whole request of a scope probe: the usual one, or one that differs in what is asked about. */
import { Client } from 'undici';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import type { Sending } from '../../../execute/environment.ts';
import { outgoing } from '../../../execute/requests.ts';
import type { ScopeAsk, ScopeParameters } from '../../../probe.ts';
import type { Stopwatch } from '../../concurrency/held/clock.ts';
import { exchange } from '../../concurrency/held/exchange.ts';
import { noteOf } from './note.ts';

const PATIENCE_MS = 10_000;

export interface ScopeSender {
  /** On the one connection that all usual requests share, as long as the target keeps it. */
  usual(phase: string): Promise<LedgerEntry>;
  ask(one: ScopeAsk): Promise<LedgerEntry>;
  close(): Promise<void>;
}

export function scopeSender(
  { operation }: ScopeParameters,
  sending: Sending,
  { clock, signal, otherKey }: { clock: Stopwatch; signal: AbortSignal; otherKey: string | null },
): ScopeSender {
  const usual = outgoing(sending.addresses, operation);
  const { origin } = new URL(usual.url);
  const client = new Client(origin);
  const common = { clock, signal, timeoutMs: PATIENCE_MS };
  return {
    async usual(phase) {
      return (await exchange(usual, { ...common, phase, sending, dispatcher: client })).entry;
    },
    async ask({ by, name }) {
      const addresses = by === 'endpoint' ? { ...sending.addresses, instId: name } : sending.addresses;
      const method = name === 'GET' || name === 'POST' ? name : undefined;
      const request = outgoing(addresses, operation, by === 'method' ? { method } : {});
      const other = new Client(origin, by === 'address' ? { localAddress: name } : {});
      const asking = { ...sending, addresses, key: by === 'account' ? otherKey : sending.key };
      try {
        const { entry } = await exchange(request, { ...common, phase: 'ask', sending: asking, dispatcher: other });
        return { ...entry, note: noteOf({ by, name }) };
      } finally {
        await other.destroy();
      }
    },
    close: () => client.destroy(),
  };
}
