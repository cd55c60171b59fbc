/** A stand-in for the sender: ledgers as a made-up target would have caused them, without sending anything. */
import { encodeEntry, encodeMark } from '../../../schemas/ledger.ts';
import type { ProbeEnvironment } from '../../execute/environment.ts';
import type { Probe } from '../../probe.ts';

export const mark = (which: 'start' | 'end', monotonicMs = 0): string =>
  encodeMark({ mark: which, wallMs: Date.now() + monotonicMs, monotonicMs });

export function line(phase: string, operation: string, sentMs: number, status = 200, note = ''): string {
  return encodeEntry({ phase, operation, sentMs, firstByteMs: sentMs + 1, endMs: sentMs + 1, status, error: '', note });
}

/** Start mark, the lines, end mark. */
export const ledgerOf = (...lines: readonly string[]): string =>
  [mark('start'), ...lines, mark('end', 1), ''].join('\n');

/** A rate probe's ledger in which `admitted` requests of burst and over pass, and some are refused. */
export function rateLedger(probe: Probe, admitted: number): string {
  const { parameters } = probe;
  if (parameters.kind !== 'rate') throw new Error(`${probe.id} is no rate probe`);
  const { operation, limit, burstAtMs, overflowAtMs } = parameters;
  const total = Math.max(limit, admitted) + 5;
  const sent = Array.from({ length: total }, (_, index) => {
    const [phase, atMs] = index < limit ? (['burst', burstAtMs] as const) : (['overflow', overflowAtMs] as const);
    return line(phase, operation, atMs + index / 100, index < admitted ? 200 : 429);
  });
  return ledgerOf(...sent);
}

export interface Call {
  readonly probe: Probe;
  readonly startMs: number;
  endMs: number;
}

/** Records its calls; `behave` gives each its ledger. */
export function recorder(behave: (probe: Probe, env: ProbeEnvironment) => Promise<string>) {
  const calls: Call[] = [];
  const execute = async (probe: Probe, env: ProbeEnvironment): Promise<string> => {
    const call: Call = { probe, startMs: performance.now(), endMs: Number.POSITIVE_INFINITY };
    calls.push(call);
    try {
      return await behave(probe, env);
    } finally {
      call.endMs = performance.now();
    }
  };
  return { calls, execute };
}
