/**
 * The ledger of what this process sends, from its beginning or where k6 left off: the entries of the second sender then go
 * on in the first one's time, and one `end` mark stands for both.
 */
import { decodeLedger, encodeEntry, encodeMark, type LedgerEntry, type LedgerMark } from '../../schemas/ledger.ts';
import { plainEntry } from '../../schemas/ledger-rows.ts';
import { clockOffset } from './clock-watch.ts';
import { type Stopwatch, stopwatch } from './stopwatch.ts';

export interface OwnLedger {
  /** Milliseconds in the time of the first sender. */
  readonly clock: Stopwatch;
  /** What the first sender recorded. */
  readonly entries: readonly LedgerEntry[];
  add(entry: LedgerEntry): void;
  /** What both recorded so far. */
  all(): readonly LedgerEntry[];
  /**
   * The ledger of both once `send` has ended; without its `end` mark where the signal aborted it. Throws what `send`
   * throws otherwise.
   */
  during(signal: AbortSignal, send: () => Promise<void>): Promise<string>;
}

/** The ledger of a probe that k6 has no part in. */
export function begun(): OwnLedger {
  const wallMs = Date.now();
  return goOn([encodeMark({ mark: 'start', wallMs, monotonicMs: 0 })], [], { mark: 'end', wallMs, monotonicMs: 0 });
}

/** null when the first sender did not end: there is nothing to continue. */
export function continued(text: string): OwnLedger | null {
  const { marks, entries } = decodeLedger(text);
  const end = marks.find(({ mark }) => mark === 'end');
  if (!end) return null;
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('{"mark":"end"'));
  return goOn(lines, entries.map(plainEntry), end);
}

/** @param from where both clocks stand now in the time of the ledger */
function goOn(lines: readonly string[], entries: readonly LedgerEntry[], from: LedgerMark): OwnLedger {
  const elapsed = stopwatch();
  const offsetMs = clockOffset();
  const added: LedgerEntry[] = [];
  const clock = () => from.monotonicMs + elapsed();
  return {
    clock,
    entries,
    add: (entry) => void added.push(entry),
    all: () => [...entries, ...added],
    async during(signal, send) {
      const ended = await send().then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) throw error;
          return false;
        },
      );
      const [monotonicMs, stepMs] = [clock(), clockOffset() - offsetMs];
      const wallMs = Math.round(from.wallMs + monotonicMs - from.monotonicMs + stepMs);
      const last = encodeMark({ mark: 'end', wallMs, monotonicMs });
      return `${[...lines, ...added.map(encodeEntry), ...(ended ? [last] : [])].join('\n')}\n`;
    },
  };
}
