/**
 * The rows of a ledger, packed: an object of ten properties takes 184 bytes, as each of its fractions is an object of its
 * own, and a ledger may have a million of them. What stands here takes 64, names and notes once for all rows.
 */
import type { LedgerEntry } from './ledger.ts';

/** As much of a list as is asked of many rows: an array is one, and so are packed rows. */
export interface Many<T> {
  readonly length: number;
  forEach(visit: (row: T, index: number) => void): void;
  map<R>(pick: (row: T, index: number) => R): R[];
  filter(wanted: (row: T, index: number) => boolean): Many<T>;
  toSorted(compare: (a: T, b: T) => number): Many<T>;
}

/** So few that a short ledger costs little, so many that what each block takes besides doesn't count. */
const ROWS = 256;
const NUMBERS = 6;
const WORDS = 4;

interface Block {
  /** Sent, first byte, end, status, due, begun; the last two are NaN where the row has none. */
  readonly numbers: Float64Array;
  /** Where phase, operation, error and note stand in `names`. */
  readonly words: Uint32Array;
  readonly names: readonly string[];
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

/** Made when somebody looks at the row, and gone when they have: a million that stay take as much as what is in them. */
class PackedRow implements LedgerRow {
  readonly #block: Block;
  readonly #row: number;

  constructor(block: Block, row: number) {
    this.#block = block;
    this.#row = row;
  }

  #number(which: number): number {
    return this.#block.numbers[this.#row * NUMBERS + which] ?? Number.NaN;
  }

  #moment(which: number): number | undefined {
    const ms = this.#number(which);
    return Number.isNaN(ms) ? undefined : ms;
  }

  #word(which: number): string {
    return this.#block.names[this.#block.words[this.#row * WORDS + which] ?? 0] ?? '';
  }

  get phase(): string {
    return this.#word(0);
  }

  get operation(): string {
    return this.#word(1);
  }

  get error(): string {
    return this.#word(2);
  }

  get note(): string {
    return this.#word(3);
  }

  get sentMs(): number {
    return this.#number(0);
  }

  get firstByteMs(): number {
    return this.#number(1);
  }

  get endMs(): number {
    return this.#number(2);
  }

  get status(): number {
    return this.#number(3);
  }

  get dueMs(): number | undefined {
    return this.#moment(4);
  }

  get begunMs(): number | undefined {
    return this.#moment(5);
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

/** Packs entries one after the other. */
export class Packer {
  readonly #names: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #blocks: Block[] = [];
  #count = 0;

  #nameOf(text: string): number {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    this.#known.set(text, this.#names.length);
    return this.#names.push(text) - 1;
  }

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
    if (row === 0) {
      const empty = { numbers: new Float64Array(ROWS * NUMBERS), words: new Uint32Array(ROWS * WORDS) };
      this.#blocks.push({ ...empty, names: this.#names });
    }
    const { numbers, words } = this.#blocks.at(-1) as Block;
    const [number, word] = [row * NUMBERS, row * WORDS];
    numbers[number] = sentMs;
    numbers[number + 1] = firstByteMs;
    numbers[number + 2] = endMs;
    numbers[number + 3] = status;
    numbers[number + 4] = dueMs;
    numbers[number + 5] = begunMs;
    words[word] = this.#nameOf(phase);
    words[word + 1] = this.#nameOf(operation);
    words[word + 2] = this.#nameOf(error);
    words[word + 3] = this.#nameOf(note);
    this.#count += 1;
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
