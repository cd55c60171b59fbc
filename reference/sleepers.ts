/** Who waits on the virtual clock: a heap, so that thousands of waiting requests cost a logarithm each. */
import { Heap, type Placed } from './heap.ts';

export interface Sleeper {
  /** When to wake it, milliseconds on the clock. */
  readonly at: number;
  readonly wake: () => void;
}

interface Waiting extends Sleeper, Placed {
  /** Rank among those of one moment: who went to sleep first wakes first. */
  readonly order: number;
}

export class Sleepers {
  readonly #heap = new Heap<Waiting>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  #order = 0;

  get size(): number {
    return this.#heap.size;
  }

  /** The earliest time somebody has to be woken; Infinity when nobody sleeps. */
  get next(): number {
    return this.#heap.first?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Returns how to take it out again, which does nothing once it has left. */
  add(sleeper: Sleeper): () => void {
    const waiting: Waiting = { ...sleeper, order: this.#order, place: -1 };
    this.#order += 1;
    this.#heap.add(waiting);
    return () => this.#heap.remove(waiting);
  }

  /** Takes everybody out whose time has come, in the order of their times, then of going to sleep. */
  due(now: number): Sleeper[] {
    const due: Sleeper[] = [];
    for (let { first } = this.#heap; first && first.at <= now; first = this.#heap.first) {
      due.push(first);
      this.#heap.remove(first);
    }
    return due;
  }
}
