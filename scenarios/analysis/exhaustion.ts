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
    exhausted: spells(refused, admitted, new Set(within)).map(({ fromMs, toMs }) => ({
      fromMs: zeroMs + fromMs,
      toMs: zeroMs + toMs,
    })),
    served: {
      fromMs: column(admitted, ({ sentMs }) => zeroMs + sentMs),
      toMs: column(admitted, ({ firstByteMs }) => zeroMs + firstByteMs),
    },
    refusedWithin: within.map(place),
  };
}

/** For each in the order of the answers, the earliest sending of it and those after it, ms. */
function earliestLeft(entries: readonly LedgerRow[]): Float64Array {
  const byAnswer = [...entries].sort((a, b) => a.firstByteMs - b.firstByteMs);
  const earliest = column(byAnswer, ({ sentMs }) => sentMs);
  for (let index = earliest.length - 2; index >= 0; index -= 1) {
    earliest[index] = Math.min(earliest[index] ?? 0, earliest[index + 1] ?? 0);
  }
  return earliest;
}

/**
 * From the answer of the last that was admitted to the sending of the last that was refused after it: what comes back is
 * still there when the next one asks, so nothing was there meanwhile. Where the limit does not explain the first of these
 * refusals, or one was admitted at the same time, it begins with its answer.
 */
function spells(
  refused: readonly LedgerRow[],
  admitted: readonly LedgerRow[],
  within: ReadonlySet<LedgerRow>,
): Interval[] {
  const bySending = [...refused].sort((a, b) => a.sentMs - b.sentMs);
  const served = sortedColumn(admitted, ({ firstByteMs }) => firstByteMs);
  const sentLater = earliestLeft(admitted);
  const found: Interval[] = [];
  let next = 0;
  let [first, last]: [LedgerRow | undefined, LedgerRow | undefined] = [undefined, undefined];
  let fromMs = 0;
  const close = () => {
    if (first && last && last.sentMs > fromMs) found.push({ fromMs, toMs: last.sentMs });
  };
  const beginOf = (one: LedgerRow): number => {
    const servedMs = served[next - 1];
    const meanwhile = (sentLater[next] ?? Number.POSITIVE_INFINITY) < one.firstByteMs;
    return servedMs === undefined || meanwhile || within.has(one) ? one.firstByteMs : servedMs;
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
    if (!first) [first, fromMs] = [one, beginOf(one)];
    last = one;
  }
  close();
  return found;
}
