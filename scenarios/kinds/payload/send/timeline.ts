/**
 * A ledger in the making, from its beginning or where k6 left off: the entries of the second sender then go on in the
 * first one's time, and one `end` mark stands for both.
 */
import {
  decodeLedger,
  encodeEntry,
  encodeMark,
  type LedgerEntry,
  type LedgerMark,
} from '../../../../schemas/ledger.ts';
import { plainEntry } from '../../../../schemas/ledger-rows.ts';
import { type Stopwatch, stopwatch } from '../../concurrency/held/clock.ts';

export interface Continuation {
  /** Milliseconds in the time of the first sender. */
  readonly clock: Stopwatch;
  /** What the first sender recorded. */
  readonly entries: readonly LedgerEntry[];
  add(entry: LedgerEntry): void;
  /** What both recorded so far. */
  all(): readonly LedgerEntry[];
  /** The ledger of both; without its `end` mark unless all was sent. */
  ledger(complete: boolean): string;
}

/** The ledger of a probe that k6 has no part in. */
export function begun(): Continuation {
  const wallMs = Date.now();
  return goOn([encodeMark({ mark: 'start', wallMs, monotonicMs: 0 })], [], { mark: 'end', wallMs, monotonicMs: 0 });
}

/** null when the first sender did not come to its end: there is nothing to go on from. */
export function continued(text: string): Continuation | null {
  const { marks, entries } = decodeLedger(text);
  const end = marks.find(({ mark }) => mark === 'end');
  if (!end) return null;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('{"mark":"end"'));
  return goOn(lines, entries.map(plainEntry), end);
}

/** @param from where both clocks stand now in the time of the ledger */
function goOn(lines: readonly string[], entries: readonly LedgerEntry[], from: LedgerMark): Continuation {
  const elapsed = stopwatch();
  const wallMs = Date.now();
  const added: LedgerEntry[] = [];
  const clock = () => from.monotonicMs + elapsed();
  return {
    clock,
    entries,
    add: (entry) => void added.push(entry),
    all: () => [...entries, ...added],
    ledger(complete) {
      const last = encodeMark({ mark: 'end', wallMs: from.wallMs + Date.now() - wallMs, monotonicMs: clock() });
      return `${[...lines, ...added.map(encodeEntry), ...(complete ? [last] : [])].join('\n')}\n`;
    },
  };
}
