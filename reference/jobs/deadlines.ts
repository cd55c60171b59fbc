/**
 * Which job changes next by time alone: a binary heap over the jobs' own `due`. A job keeps its place in the heap
 * itself, so that a hundred thousand kept jobs need no bookkeeping object each, and one can leave from the middle.
 */

export interface Due {
  /** When it is due, milliseconds on the clock. Infinity for never: then it isn't kept here. */
  due: number;
  /** Index in the heap, -1 when it isn't in it. Nobody else's business. */
  place: number;
}

export class Deadlines<T extends Due> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The one that is due first; several of the same moment come in no special order. */
  get first(): T | undefined {
    return this.#heap[0];
  }

  /** Puts it in, or moves it to where its new time belongs. */
  set(one: T, due: number): void {
    if (due === Number.POSITIVE_INFINITY) {
      this.remove(one);
      return;
    }
    one.due = due;
    if (one.place < 0) this.#put(one, this.#heap.length);
    this.#rise(one);
    this.#sink(one);
  }

  /** Takes it out, if it is in; it is never due then. */
  remove(one: T): void {
    const { place } = one;
    one.due = Number.POSITIVE_INFINITY;
    one.place = -1;
    if (place < 0) return;
    const last = this.#heap.pop();
    if (!last || last === one) return;
    this.#put(last, place);
    this.#rise(last);
    this.#sink(last);
  }

  #put(one: T, place: number): void {
    this.#heap[place] = one;
    one.place = place;
  }

  #rise(one: T): void {
    for (;;) {
      const { place } = one;
      const parent = this.#heap[(place - 1) >> 1];
      if (!parent || parent.due <= one.due) return;
      this.#put(one, parent.place);
      this.#put(parent, place);
    }
  }

  #sink(one: T): void {
    for (;;) {
      const { place } = one;
      const left = this.#heap[2 * place + 1];
      const right = this.#heap[2 * place + 2];
      const child = left && right && right.due < left.due ? right : left;
      if (!child || child.due >= one.due) return;
      this.#put(one, child.place);
      this.#put(child, place);
    }
  }
}
