/**
 * What a probe that is over really spent. A plan reckons with the most that it might send, which for some is twice what
 * a sound target gets; the probes that follow need not wait for requests that were never sent.
 */
import type { MissingFacts } from '../../schemas/facts.ts';
import type { Ledger } from '../../schemas/ledger.ts';
import type { LimitTable } from '../../schemas/limits.ts';
import type { PlannedProbe, Spending } from '../plan/types.ts';
import type { Probe } from '../probe.ts';

/** Facts of probes that did not end: each of their checks gets the reason, so that none is ever silent. */
export function interrupted(probe: Probe): MissingFacts {
  const why = 'the run was stopped before this probe was done';
  return { kind: 'missing', checkIds: probe.checkIds, outcome: { kind: 'skipped', by: 'interrupt', why } };
}

export function failed(probe: Probe, error: unknown, checkIds = probe.checkIds): MissingFacts {
  const message = `${probe.id}: ${error instanceof Error ? error.message : String(error)}`;
  return { kind: 'missing', checkIds, outcome: { kind: 'error', message } };
}

/** Whether the sender came to its end. */
export function isComplete({ marks }: Ledger): boolean {
  return marks.some(({ mark }) => mark === 'end');
}

/**
 * Requests against each rate limit, never more than `spends`. Where the ledger may not hold all of them, as that of a
 * probe that was cut short, it is `spends`: all that may have been sent counts.
 */
export function spentOf({ spends }: Pick<PlannedProbe, 'spends'>, ledger: Ledger, table: LimitTable): Spending {
  if (!isComplete(ledger)) return spends;
  const { rows, unreadable, lost } = ledger;
  if (unreadable > 0 || lost) return spends;
  const sent = new Map<string, number>();
  rows.forEach(({ operation }) => void sent.set(operation, (sent.get(operation) ?? 0) + 1));
  const pairs = Object.entries(spends).map(([budget, most = 0]): [string, number] => {
    const operations = new Set(table.rows.flatMap((row) => (row.budget === budget ? row.operations : [])));
    const count = [...operations].reduce((sum, operation) => sum + (sent.get(operation) ?? 0), 0);
    return [budget, Math.min(most, count)];
  });
  return Object.fromEntries(pairs);
}
