/**
 * When a budget was surely exhausted, and when what was asked of it was served: on the wall clock, so that several
 * probes of one run can be laid side by side. What is served while another budget is exhausted is not counted with it.
 */
import type { Exhaustion, Interval } from '../../schemas/facts.ts';
import { type Ledger, zeroOf } from '../../schemas/ledger.ts';
import type { LedgerRow } from '../../schemas/ledger-rows.ts';
import { column, sortedColumn } from './column.ts';
import { keep } from './keep.ts';
import type { Classify } from './outcome.ts';

/**
 * @param all of the budget, in any order
 * @param within refusals that the limit itself does not explain
 */
export function exhaustionOf(
  ledger: Ledger,
  all: readonly LedgerRow[],
  classify: Classify,
  within: readonly LedgerRow[],
): Exhaustion {
  const zeroMs = zeroOf(ledger) ?? Number.NaN;
  const place = ({ sentMs, firstByteMs }: LedgerRow): Interval => ({
    fromMs: zeroMs + sentMs,
    toMs: zeroMs + firstByteMs,
  });
  const admitted = keep(all, (entry) => classify(entry) === 'admitted');
  const refused = keep(all, (entry) => classify(entry) === 'refused');
  return {
    exhausted: spells(refused, admitted).map(({ fromMs, toMs }) => ({ fromMs: zeroMs + fromMs, toMs: zeroMs + toMs })),
    served: {
      fromMs: column(admitted, ({ sentMs }) => zeroMs + sentMs),
      toMs: column(admitted, ({ firstByteMs }) => zeroMs + firstByteMs),
    },
    refusedWithin: within.map(place),
  };
}

/**
 * From the answer of a refused request to the sending of another, with none admitted between the sending of the first
 * and the answer of the last: what comes back is still there when the next one asks, so nothing was there meanwhile.
 */
function spells(refused: readonly LedgerRow[], admitted: readonly LedgerRow[]): Interval[] {
  const bySending = [...refused].sort((a, b) => a.sentMs - b.sentMs);
  const served = sortedColumn(admitted, ({ firstByteMs }) => firstByteMs);
  const found: Interval[] = [];
  let next = 0;
  let [first, last]: [LedgerRow | undefined, LedgerRow | undefined] = [undefined, undefined];
  const close = () => {
    if (first && last && last.sentMs > first.firstByteMs) found.push({ fromMs: first.firstByteMs, toMs: last.sentMs });
  };
  for (const one of bySending) {
    // Answered before this one was sent: something had come back since the last refusal.
    const before = next;
    while ((served[next] ?? Number.POSITIVE_INFINITY) < one.sentMs) next += 1;
    // The last of those is the latest.
    const between = first !== undefined && next > before && (served[next - 1] ?? 0) > first.firstByteMs;
    if (between) {
      close();
      first = undefined;
    }
    first ??= one;
    last = one;
  }
  close();
  return found;
}
