/** How well the generator did its own work, read off the ledger: what it could not send or see limits every verdict. */
import type { GeneratorHealth } from '../../schemas/facts.ts';
import type { Ledger, LedgerEntry } from '../../schemas/ledger.ts';

/**
 * @param planned requests the probe meant to send at least; fewer in the ledger means that it was cut short
 * @param latenessMs latest send behind its schedule, 0 where there was none
 */
export function generatorHealth(ledger: Ledger, planned: number, latenessMs = 0): GeneratorHealth {
  const unanswered = ledger.entries.filter((entry) => entry.status === 0);
  const start = ledger.marks.find((mark) => mark.mark === 'start');
  const end = ledger.marks.find((mark) => mark.mark === 'end');
  const step = start && end ? end.wallMs - start.wallMs - (end.monotonicMs - start.monotonicMs) : 0;
  return {
    planned,
    sent: ledger.entries.length,
    unanswered: unanswered.length,
    unansweredError: commonestError(unanswered),
    unreadable: ledger.unreadable,
    clockStepMs: Math.round(step),
    complete: start !== undefined && end !== undefined,
    latenessMs: Math.round(latenessMs),
  };
}

function commonestError(entries: readonly LedgerEntry[]): string {
  const counts = new Map<string, number>();
  for (const { error } of entries) counts.set(error, (counts.get(error) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
