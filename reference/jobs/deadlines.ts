/** Which job changes next by time alone: a heap over the jobs' own `due`. */
import { Heap, type Placed } from '../heap.ts';

export interface Due extends Placed {
  /** When it is due, milliseconds on the clock. Infinity for never: then it isn't kept here. */
  due: number;
}

export class Deadlines<T extends Due> {
  readonly #heap = new Heap<T>((a, b) => a.due < b.due);

  get size(): number {
    return this.#heap.size;
  }

  /** The one that is due first; several of the same moment come in no special order. */
  get first(): T | undefined {
    return this.#heap.first;
  }

  /** Puts it in, or moves it to where its new time belongs. */
  set(one: T, due: number): void {
    this.remove(one);
    if (due === Number.POSITIVE_INFINITY) return;
    one.due = due;
    this.#heap.add(one);
  }

  /** Takes it out, if it is in; it is never due then. */
  remove(one: T): void {
    this.#heap.remove(one);
    one.due = Number.POSITIVE_INFINITY;
  }
}
