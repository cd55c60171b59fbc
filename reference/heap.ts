/**
 * A binary heap whose members know their own place in it, so that one can leave from the middle for a logarithm: most
 * of what waits here is given up before its time. The place is kept in the member itself, because a bookkeeping object
 * for each of a hundred thousand would be most of their memory.
 */

export interface Placed {
  /** Index in the heap; -1 when it isn't in it. Private to the heap. */
  place: number;
}

export class Heap<T extends Placed> {
  readonly #members: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  /** `before`: whether the first one leaves before the second. It must not change while they are in. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#members.length;
  }

  get first(): T | undefined {
    return this.#members[0];
  }

  add(one: T): void {
    this.#put(one, this.#members.length);
    this.#rise(one);
  }

  /** Does nothing when it isn't in. */
  remove(one: T): void {
    const { place } = one;
    if (place < 0) return;
    one.place = -1;
    const last = this.#members.pop();
    if (!last || last === one) return;
    this.#put(last, place);
    this.#rise(last);
    this.#sink(last);
  }

  #put(one: T, place: number): void {
    this.#members[place] = one;
    one.place = place;
  }

  #rise(one: T): void {
    for (;;) {
      const { place } = one;
      const parent = place > 0 ? this.#members[(place - 1) >> 1] : undefined;
      if (!parent || !this.#before(one, parent)) return;
      this.#put(one, parent.place);
      this.#put(parent, place);
    }
  }

  #sink(one: T): void {
    for (;;) {
      const { place } = one;
      const left = this.#members[2 * place + 1];
      const right = this.#members[2 * place + 2];
      const child = left && right && this.#before(right, left) ? right : left;
      if (!child || !this.#before(child, one)) return;
      this.#put(one, child.place);
      this.#put(child, place);
    }
  }
}
