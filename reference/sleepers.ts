/**
 * Who waits on the virtual clock: a binary heap, so that thousands of waiting requests cost a logarithm each. Every
 * sleeper knows its place, because most long polls are given up before their time and have to leave from the middle.
 */

export interface Sleeper {
  /** When to wake it, milliseconds on the clock. */
  readonly at: number;
  readonly wake: () => void;
}

interface Place extends Sleeper {
  /** Rank among those of one moment: who went to sleep first wakes first. */
  readonly order: number;
  /** Index in the heap; -1 once it has left. */
  index: number;
}

const before = (a: Place, b: Place): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

export class Sleepers {
  readonly #heap: Place[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The earliest time somebody has to be woken; Infinity when nobody sleeps. */
  get next(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Returns how to take it out again, which does nothing once it has left. */
  add(sleeper: Sleeper): () => void {
    const place: Place = { ...sleeper, order: this.#order, index: this.#heap.length };
    this.#order += 1;
    this.#heap.push(place);
    this.#rise(place);
    return () => this.#remove(place);
  }

  /** Takes everybody out whose time has come, in the order of their times, then of going to sleep. */
  due(now: number): Sleeper[] {
    const due: Sleeper[] = [];
    for (let first = this.#heap[0]; first && first.at <= now; first = this.#heap[0]) {
      due.push(first);
      this.#remove(first);
    }
    return due;
  }

  #remove(place: Place): void {
    const { index } = place;
    if (index < 0) return;
    place.index = -1;
    const last = this.#heap.pop();
    if (!last || last === place) return;
    this.#put(last, index);
    this.#rise(last);
    this.#sink(last);
  }

  #put(place: Place, index: number): void {
    this.#heap[index] = place;
    place.index = index;
  }

  #rise(place: Place): void {
    for (;;) {
      const parent = this.#heap[(place.index - 1) >> 1];
      if (!parent || !before(place, parent)) return;
      const { index } = place;
      this.#put(place, parent.index);
      this.#put(parent, index);
    }
  }

  #sink(place: Place): void {
    for (;;) {
      const left = this.#heap[2 * place.index + 1];
      const right = this.#heap[2 * place.index + 2];
      const child = left && right && before(right, left) ? right : left;
      if (!child || !before(child, place)) return;
      const { index } = place;
      this.#put(place, child.index);
      this.#put(child, index);
    }
  }
}
