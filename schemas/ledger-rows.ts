/**
 * The rows of a ledger, packed: an object of ten properties takes 184 bytes, as each of its fractions is an object of its
 * own, and a ledger may have a million of them. What stands here takes 25, or 41 where they were due at some moment; what
 * rows near one another have in common stands once.
 */
import type { LedgerEntry } from './ledger.ts';

/** The part of a list that is needed for many rows: an array is one, and so are packed rows. */
export interface Many<T> {
  readonly length: number;
  forEach(visit: (row: T, index: number) => void): void;
  map<R>(pick: (row: T, index: number) => R): R[];
  filter(wanted: (row: T, index: number) => boolean): Many<T>;
  toSorted(compare: (a: T, b: T) => number): Many<T>;
}

/** So few that a short ledger costs little, so many that the rest of a block doesn't count. */
const ROWS = 256;
/** Sent, first byte, end. */
const MOMENTS = 3;
/** Due, begun; NaN where the row has none. */
const PLANNED = 2;

const RECENT = 8;

/** What many rows have in common, and share. */
type Form = Pick<LedgerEntry, 'phase' | 'operation' | 'status' | 'error' | 'note'>;

interface Block {
  readonly moments: Float64Array;
  /** Its different forms, and which of them each row has. */
  readonly forms: Form[];
  readonly which: Uint8Array;
  /** Absent where none of its rows has any. */
  planned?: Float64Array;
}

/**
 * An entry that was read. Nothing of it comes along where it is spread, and the compiler knows, as the accessors of a
 * class don't: `plainEntry` gives one to spread, to change or to compare.
 */
export declare abstract class LedgerRow implements LedgerEntry {
  get phase(): string;
  get operation(): string;
  get sentMs(): number;
  get firstByteMs(): number;
  get endMs(): number;
  get status(): number;
  get error(): string;
  get note(): string;
  readonly dueMs?: number;
  readonly begunMs?: number;
}

/** Made when the row is read, and gone afterwards: a million that stay take only the memory of their content. */
class PackedRow implements LedgerRow {
  readonly #block: Block;
  readonly #row: number;

  constructor(block: Block, row: number) {
    this.#block = block;
    this.#row = row;
  }

  get #form(): Form {
    return this.#block.forms[this.#block.which[this.#row] ?? 0] as Form;
  }

  #moment(which: number): number {
    return this.#block.moments[this.#row * MOMENTS + which] ?? Number.NaN;
  }

  #plannedIfAny(which: number): number | undefined {
    const ms = this.#block.planned?.[this.#row * PLANNED + which] ?? Number.NaN;
    return Number.isNaN(ms) ? undefined : ms;
  }

  get phase(): string {
    return this.#form.phase;
  }

  get operation(): string {
    return this.#form.operation;
  }

  get status(): number {
    return this.#form.status;
  }

  get error(): string {
    return this.#form.error;
  }

  get note(): string {
    return this.#form.note;
  }

  get sentMs(): number {
    return this.#moment(0);
  }

  get firstByteMs(): number {
    return this.#moment(1);
  }

  get endMs(): number {
    return this.#moment(2);
  }

  get dueMs(): number | undefined {
    return this.#plannedIfAny(0);
  }

  get begunMs(): number | undefined {
    return this.#plannedIfAny(1);
  }
}

/** Rows of one ledger: all of them, or those that stand at `places`. */
class PackedRows implements Many<LedgerRow> {
  readonly length: number;
  readonly #blocks: readonly Block[];
  readonly #places: Uint32Array | undefined;

  constructor(blocks: readonly Block[], places: Uint32Array | number) {
    this.#blocks = blocks;
    this.#places = typeof places === 'number' ? undefined : places;
    this.length = typeof places === 'number' ? places : places.length;
  }

  #row(place: number): LedgerRow {
    return new PackedRow(this.#blocks[Math.floor(place / ROWS)] as Block, place % ROWS);
  }

  forEach(visit: (row: LedgerRow, index: number) => void): void {
    for (let index = 0; index < this.length; index += 1) visit(this.#row(this.#places?.[index] ?? index), index);
  }

  map<R>(pick: (row: LedgerRow, index: number) => R): R[] {
    const all = new Array<R>(this.length);
    this.forEach((row, index) => {
      all[index] = pick(row, index);
    });
    return all;
  }

  filter(wanted: (row: LedgerRow, index: number) => boolean): PackedRows {
    const places = new Uint32Array(this.length);
    let count = 0;
    this.forEach((row, index) => {
      if (wanted(row, index)) places[count++] = this.#places?.[index] ?? index;
    });
    return count === this.length ? this : new PackedRows(this.#blocks, places.slice(0, count));
  }

  toSorted(compare: (a: LedgerRow, b: LedgerRow) => number): PackedRows {
    let isSorted = true;
    let before: LedgerRow | undefined;
    this.forEach((row) => {
      if (before && compare(before, row) > 0) isSorted = false;
      before = row;
    });
    // As most are: a probe writes its rows about in the order in which it sends.
    if (isSorted) return this;
    const places = this.#places?.slice() ?? Uint32Array.from({ length: this.length }, (_, index) => index);
    return new PackedRows(
      this.#blocks,
      places.sort((a, b) => compare(this.#row(a), this.#row(b))),
    );
  }
}

const newBlock = (): Block => ({
  moments: new Float64Array(ROWS * MOMENTS),
  forms: [],
  which: new Uint8Array(ROWS),
});

/** A row mostly has the form of one shortly before, and to compare takes less than to make a key for each of a million. */
function placeOfForm(forms: Form[], phase: string, operation: string, status: number, error: string, note: string) {
  for (let place = forms.length - 1; place >= Math.max(0, forms.length - RECENT); place -= 1) {
    const one = forms[place] as Form;
    const isIt = one.status === status && one.phase === phase && one.operation === operation;
    if (isIt && one.note === note && one.error === error) return place;
  }
  return forms.push({ phase, operation, status, error, note }) - 1;
}

/** Packs entries one after the other. */
export class Packer {
  readonly #blocks: Block[] = [];
  #count = 0;

  /** Argument by argument, as an object for each of a million rows would take as long as all else. */
  add(
    phase: string,
    operation: string,
    sentMs: number,
    firstByteMs: number,
    endMs: number,
    status: number,
    error: string,
    note: string,
    dueMs = Number.NaN,
    begunMs = Number.NaN,
  ): void {
    const row = this.#count % ROWS;
    if (row === 0) this.#blocks.push(newBlock());
    const block = this.#blocks.at(-1) as Block;
    const { moments, forms, which } = block;
    which[row] = placeOfForm(forms, phase, operation, status, error, note);
    const first = row * MOMENTS;
    moments[first] = sentMs;
    moments[first + 1] = firstByteMs;
    moments[first + 2] = endMs;
    this.#count += 1;
    if (Number.isNaN(dueMs) && Number.isNaN(begunMs)) return;
    block.planned ??= new Float64Array(ROWS * PLANNED).fill(Number.NaN);
    block.planned[row * PLANNED] = dueMs;
    block.planned[row * PLANNED + 1] = begunMs;
  }

  rows(): Many<LedgerRow> {
    return new PackedRows(this.#blocks, this.#count);
  }
}

/** The same with properties of its own, for all who spread or compare. */
export function plainEntry(entry: LedgerEntry): LedgerEntry {
  const { phase, operation, sentMs, firstByteMs, endMs, status, error, note, dueMs, begunMs } = entry;
  const plain = { phase, operation, sentMs, firstByteMs, endMs, status, error, note };
  if (dueMs === undefined) return plain;
  return begunMs === undefined ? { ...plain, dueMs } : { ...plain, dueMs, begunMs };
}
