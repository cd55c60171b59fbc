/** Ledger of streams read as they came -> facts: when each token arrived. */
import type { StreamTiming, StreamTimingFacts } from '../../../schemas/facts.ts';
import type { Ledger } from '../../../schemas/ledger.ts';
import type { LedgerRow } from '../../../schemas/ledger-rows.ts';
import { generatorHealth } from '../../analysis/health.ts';
import type { StreamTimingParameters } from '../../probe.ts';
import { arrivalsIn } from './send/note.ts';

/** A stream begins with the request that asks for it: the completion itself, or the submission of a job. */
const BEGINS = ['completion', 'submit'];

export function analyseStreamTiming(
  { instId, operation }: StreamTimingParameters,
  ledger: Ledger,
  planned: number,
): StreamTimingFacts {
  const streams: LedgerRow[][] = [];
  for (const entry of ledger.entries) {
    if (BEGINS.includes(entry.phase)) streams.push([entry]);
    else if (entry.phase === 'read') streams.at(-1)?.push(entry);
  }
  return {
    kind: 'stream-timing',
    instId,
    operation,
    streams: streams.map(timingOf),
    health: generatorHealth(ledger, planned),
  };
}

const micro = (ms: number): number => Math.round(ms * 1000) / 1000;

function timingOf(entries: readonly LedgerRow[]): StreamTiming {
  const [first, last] = [entries[0], entries.at(-1)];
  const zeroMs = first?.sentMs ?? 0;
  return {
    status: last?.status ?? 0,
    tokensMs: entries.flatMap(({ note }) => arrivalsIn(note)).map((atMs) => micro(atMs - zeroMs)),
    wholeMs: micro((last?.endMs ?? zeroMs) - zeroMs),
  };
}
