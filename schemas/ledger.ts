/**
 * One line of a ledger: one request that a probe sent. k6 writes the lines with `console.log`, so the format is a
 * bare JSON array that costs little to build; this file is bundled into the k6 scripts and used again by the analysis.
 *
 * All times are milliseconds with fractions since the start of the process that sent the request (monotonic).
 * The server saw the request at some moment in [sentMs, firstByteMs].
 */

import { type LostLines, lostOf, type MachineLoad, machineOf } from './ledger-machine.ts';

export interface LedgerEntry {
  /** What part of the probe sent it, e.g. `burst`, `over`, `recovery`, `pace`. */
  readonly phase: string;
  readonly operation: string;
  readonly sentMs: number;
  readonly firstByteMs: number;
  readonly endMs: number;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** k6 error code or system error name when status is 0, else empty. */
  readonly error: string;
  /** Probe-specific word, e.g. a body size in bytes, a queue position, the Retry-After value; empty when none. */
  readonly note: string;
}

/**
 * First and last line of every ledger: what was planned, and two clocks read together, so that a wall clock that was
 * stepped while the probe ran is seen. A ledger without its `end` line is that of a killed process.
 */
export interface LedgerMark {
  readonly mark: 'start' | 'end';
  readonly wallMs: number;
  readonly monotonicMs: number;
}

type Row = [string, string, number, number, number, number, string, string];

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

export function encodeEntry(e: LedgerEntry): string {
  const row: Row = [
    e.phase,
    e.operation,
    round(e.sentMs),
    round(e.firstByteMs),
    round(e.endMs),
    e.status,
    e.error,
    e.note,
  ];
  return JSON.stringify(row);
}

export function encodeMark(mark: LedgerMark): string {
  return JSON.stringify({ mark: mark.mark, wallMs: round(mark.wallMs), monotonicMs: round(mark.monotonicMs) });
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  readonly marks: readonly LedgerMark[];
  /** Lines that are neither an entry nor a mark: torn, or written by something else. */
  readonly unreadable: number;
  /** Absent where nobody watched the machine. */
  readonly machine?: MachineLoad;
  /** Absent where every line was written. */
  readonly lost?: LostLines;
}

function isRow(value: unknown): value is Row {
  return (
    Array.isArray(value) &&
    value.length === 8 &&
    value.slice(2, 6).every((item) => typeof item === 'number') &&
    [0, 1, 6, 7].every((index) => typeof value[index] === 'string')
  );
}

function isMark(value: unknown): value is LedgerMark {
  return typeof value === 'object' && value !== null && 'mark' in value && 'wallMs' in value && 'monotonicMs' in value;
}

/** Reads a whole ledger. A line that cannot be read is counted, never dropped silently. */
export function decodeLedger(text: string): Ledger {
  const entries: LedgerEntry[] = [];
  const marks: LedgerMark[] = [];
  let unreadable = 0;
  let machine: MachineLoad | undefined;
  let lost: LostLines | undefined;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      unreadable += 1;
      continue;
    }
    if (isRow(value)) {
      const [phase, operation, sentMs, firstByteMs, endMs, status, error, note] = value;
      entries.push({ phase, operation, sentMs, firstByteMs, endMs, status, error, note });
    } else if (isMark(value)) marks.push(value);
    else {
      const [ofMachine, ofLost] = [machineOf(value), lostOf(value)];
      machine = ofMachine ?? machine;
      lost = ofLost ?? lost;
      if (!ofMachine && !ofLost) unreadable += 1;
    }
  }
  return { entries, marks, unreadable, ...(machine ? { machine } : {}), ...(lost ? { lost } : {}) };
}
