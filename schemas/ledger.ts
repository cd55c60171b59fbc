/**
 * One line of a ledger: one request that a probe sent. k6 writes the lines with `console.log`, so the format is a
 * bare JSON array that costs little to build, long or short; this file is bundled into the k6 scripts and used again by
 * the analysis.
 *
 * All times are milliseconds with fractions since the start of the process that sent the request (monotonic).
 * The server saw the request at some moment in [sentMs, firstByteMs].
 */
import type { LostLines, MachineLoad } from './generator.ts';
import { parseJson } from './json.ts';
import { lostOf, machineOf } from './ledger-machine.ts';
import { type LedgerRow, type Many, Packer } from './ledger-rows.ts';
import { type RunnerPart, runnerOf, shiftOf } from './ledger-runner.ts';

export interface LedgerEntry {
  /** What part of the probe sent it, e.g. `burst`, `pace`, `over`, `echo`. */
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
  /**
   * When the schedule wanted it sent: the latency that a caller at that moment would have had counts from here. Absent
   * where there was no such moment. A burst has none: its requests follow on one another's answers, so all but the
   * first of each connection are due when the one before is over, and the first ones queue in the generator itself.
   */
  readonly dueMs?: number;
  /**
   * When the sender began with it, where it was due at some moment. Between `dueMs` and this lies the sender's own
   * lateness; from here to `sentMs` it gets a connection, which takes a round trip or more where it is a new one.
   */
  readonly begunMs?: number;
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

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

export function encodeEntry(e: LedgerEntry): string {
  const row = [e.phase, e.operation, round(e.sentMs), round(e.firstByteMs), round(e.endMs), e.status, e.error, e.note];
  return JSON.stringify(e.dueMs === undefined ? row : [...row, round(e.dueMs), round(e.begunMs ?? e.sentMs)]);
}

/** What all short rows of one phase and operation begin with. */
export function headOf(phase: string, operation: string): string {
  return `[${JSON.stringify(phase)},${JSON.stringify(operation)},`;
}

/**
 * The short row of an entry that has neither error nor note, as most have. Every request of a load pays for its line,
 * so the numbers stand in it as the sender has them, ms; the reader computes the moments.
 *
 * @param begunMs when it was handed over; `blockedMs` later it got a connection
 * @param endMs of its response, whose first byte came `receivingMs` before or earlier
 */
export function encodeShort(
  head: string,
  begunMs: number,
  blockedMs: number,
  receivingMs: number,
  endMs: number,
  status: number,
  dueMs?: number,
): string {
  const row = `${head}${begunMs},${blockedMs},${receivingMs},${endMs},${status}`;
  return dueMs === undefined ? `${row}]` : `${row},${dueMs}]`;
}

export function encodeMark(mark: LedgerMark): string {
  return JSON.stringify({ mark: mark.mark, wallMs: round(mark.wallMs), monotonicMs: round(mark.monotonicMs) });
}

export interface Ledger {
  /** As a list, made when it is needed: of a ledger that may be long, `rows` are. */
  readonly entries: readonly LedgerRow[];
  readonly rows: Many<LedgerRow>;
  readonly marks: readonly LedgerMark[];
  /** Lines that are neither an entry nor a mark: torn, or written by something else. */
  readonly unreadable: number;
  /** Absent where the machine was not watched. */
  readonly machine?: MachineLoad;
  /** Absent where every line was written. */
  readonly lost?: LostLines;
  /** The parts of a ledger that several runners wrote, in the order in which they stand there; else absent. */
  readonly runners?: readonly RunnerPart[];
}

type Row = readonly [string, string, number, number, number, number, string, string, number?, number?];

/** Phase, operation, begun, blocked, receiving, end, status, due. */
type ShortRow = readonly [string, string, number, number, number, number, number, number?];

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isText = (value: unknown): boolean => typeof value === 'string';

/** Checked item by item: a ledger may have a million rows. */
function isRow(row: unknown): row is Row {
  if (!Array.isArray(row) || (row.length !== 8 && row.length !== 10)) return false;
  const named = isText(row[0]) && isText(row[1]) && isText(row[6]) && isText(row[7]);
  const timed = isNumber(row[2]) && isNumber(row[3]) && isNumber(row[4]) && isNumber(row[5]);
  return named && timed && (row.length === 8 || (isNumber(row[8]) && isNumber(row[9])));
}

function isShortRow(row: unknown): row is ShortRow {
  if (!Array.isArray(row) || (row.length !== 7 && row.length !== 8) || !isText(row[0]) || !isText(row[1])) return false;
  for (let index = 2; index < row.length; index += 1) if (!isNumber(row[index])) return false;
  return true;
}

const later = ({ mark, wallMs, monotonicMs }: LedgerMark, byWallMs: number, byMs: number): LedgerMark => ({
  mark,
  wallMs: wallMs + byWallMs,
  monotonicMs: monotonicMs + byMs,
});

/** How times as they are written become those of the ledger: later by so much, and known no better than that, ms. */
interface Clock {
  readonly shiftMs: number;
  readonly errorMs: number;
}

const OWN_CLOCK: Clock = { shiftMs: 0, errorMs: 0 };

function addRow(to: Packer, [phase, operation, sent, firstByte, end, status, error, note, due, begun]: Row, by: Clock) {
  const [before, after] = [by.shiftMs - by.errorMs, by.shiftMs + by.errorMs];
  const [dueMs, begunMs] = [
    due === undefined ? due : due + by.shiftMs,
    begun === undefined ? begun : begun + by.shiftMs,
  ];
  to.add(phase, operation, sent + before, firstByte + after, end + after, status, error, note, dueMs, begunMs);
}

function addShort(
  to: Packer,
  [phase, operation, begun, blockedMs, receivingMs, end, status, due]: ShortRow,
  by: Clock,
) {
  const [before, after] = [by.shiftMs - by.errorMs, by.shiftMs + by.errorMs];
  const [sentMs, firstByteMs] = [round(begun + blockedMs + before), round(end - receivingMs + after)];
  const endMs = round(end + after);
  if (due === undefined) to.add(phase, operation, sentMs, firstByteMs, endMs, status, '', '');
  else
    to.add(
      phase,
      operation,
      sentMs,
      firstByteMs,
      endMs,
      status,
      '',
      '',
      round(due + by.shiftMs),
      round(begun + by.shiftMs),
    );
}

function isMark(value: unknown): value is LedgerMark {
  return typeof value === 'object' && value !== null && 'mark' in value && 'wallMs' in value && 'monotonicMs' in value;
}

/** One after the other: a list of a million lines would take as much memory as what is in them. */
function* linesOf(texts: Iterable<string>): Generator<string> {
  for (const text of texts) {
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from);
      const to = end < 0 ? text.length : end;
      yield text.slice(from, to);
      from = to + 1;
    }
  }
}

/** The wall clock at which a ledger's own times are zero, ms; undefined where it has no `start` mark. */
export function zeroOf({ marks }: Pick<Ledger, 'marks'>): number | undefined {
  const start = marks.find(({ mark }) => mark === 'start');
  return start && start.wallMs - start.monotonicMs;
}

/**
 * Reads a whole ledger, of one process or of several runners: their times become those of the common clock, no better known
 * than each of them knows it. A line that cannot be read is counted, never dropped silently.
 * @param text of several runners one text each, read when it is its turn: all of them at once may be more than memory holds
 */
export function decodeLedger(text: string | Iterable<string>): Ledger {
  const packer = new Packer();
  const marks: LedgerMark[] = [];
  let unreadable = 0;
  let machine: MachineLoad | undefined;
  let lost: LostLines | undefined;
  const runners: RunnerPart[] = [];
  let clock = OWN_CLOCK;
  for (const line of linesOf(typeof text === 'string' ? [text] : text)) {
    if (line.trim() === '') continue;
    const value = parseJson(line);
    const part = runners.at(-1);
    if (isRow(value)) addRow(packer, value, clock);
    else if (isShortRow(value)) addShort(packer, value, clock);
    else if (isMark(value)) {
      const isOfPart = part !== undefined && value.mark === 'end';
      if (isOfPart) part.complete = true;
      marks.push(isOfPart ? later(value, part.offsetMs, clock.shiftMs) : value);
      continue;
    } else {
      const [ofMachine, ofLost, runner] = [machineOf(value), lostOf(value), runnerOf(value)];
      const began = marks.at(-1);
      machine = ofMachine ?? machine;
      lost = ofLost ?? lost;
      if (runner && began?.mark === 'start') {
        clock = { shiftMs: shiftOf(runner, began), errorMs: runner.errorMs };
        marks[marks.length - 1] = later(began, runner.offsetMs, clock.shiftMs);
        runners.push({ ...runner, rows: 0, complete: false, beganMs: clock.shiftMs + began.monotonicMs });
      } else if (!ofMachine && !ofLost) unreadable += 1;
      continue;
    }
    if (part) part.rows += 1;
  }
  const rows = packer.rows();
  let entries: readonly LedgerRow[] | undefined;
  return {
    get entries() {
      entries ??= rows.map((row) => row);
      return entries;
    },
    rows,
    marks,
    unreadable,
    ...(machine ? { machine } : {}),
    ...(lost ? { lost } : {}),
    ...(runners.length > 0 ? { runners } : {}),
  };
}
