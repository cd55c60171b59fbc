/**
 * The rows of a ledger, packed: an object of ten properties takes 184 bytes, as each of its fractions is an object of its
 * own, and a ledger may have a million of them. What stands here takes 104, names and notes once for all rows.
 */
import type { LedgerEntry } from './ledger.ts';

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
    const dueMs = this.#number(4);
    return Number.isNaN(dueMs) ? undefined : dueMs;
  }

  get begunMs(): number | undefined {
    const begunMs = this.#number(5);
    return Number.isNaN(begunMs) ? undefined : begunMs;
  }
}

/** Packs entries one after the other. */
export class Rows {
  readonly entries: LedgerRow[] = [];
  readonly #names: string[] = [];
  readonly #known = new Map<string, number>();
  #block: Block = this.#newBlock();

  #newBlock(): Block {
    return { numbers: new Float64Array(ROWS * NUMBERS), words: new Uint32Array(ROWS * WORDS), names: this.#names };
  }

  #nameOf(text: string): number {
    const before = this.#known.get(text);
    if (before !== undefined) return before;
    this.#known.set(text, this.#names.length);
    return this.#names.push(text) - 1;
  }

  add({ phase, operation, sentMs, firstByteMs, endMs, status, error, note, dueMs, begunMs }: LedgerEntry): void {
    const row = this.entries.length % ROWS;
    if (row === 0 && this.entries.length > 0) this.#block = this.#newBlock();
    const { numbers, words } = this.#block;
    const [number, word] = [row * NUMBERS, row * WORDS];
    numbers[number] = sentMs;
    numbers[number + 1] = firstByteMs;
    numbers[number + 2] = endMs;
    numbers[number + 3] = status;
    numbers[number + 4] = dueMs ?? Number.NaN;
    numbers[number + 5] = begunMs ?? Number.NaN;
    words[word] = this.#nameOf(phase);
    words[word + 1] = this.#nameOf(operation);
    words[word + 2] = this.#nameOf(error);
    words[word + 3] = this.#nameOf(note);
    this.entries.push(new PackedRow(this.#block, row));
  }
}

/** The same with properties of its own, for all who spread or compare. */
export function plainEntry(entry: LedgerEntry): LedgerEntry {
  const { phase, operation, sentMs, firstByteMs, endMs, status, error, note, dueMs, begunMs } = entry;
  const plain = { phase, operation, sentMs, firstByteMs, endMs, status, error, note };
  if (dueMs === undefined) return plain;
  return begunMs === undefined ? { ...plain, dueMs } : { ...plain, dueMs, begunMs };
}
