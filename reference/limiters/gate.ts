/** Requests in flight at once: a counter of slots, each given back exactly once however often it is returned. */

export type Slot = { free(): void };

export class Gate {
  readonly #limit: number;
  #taken = 0;

  /** `limit`: slots; Infinity for no limit. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** A slot, or null when all are taken. */
  enter(): Slot | null {
    if (this.#taken >= this.#limit) return null;
    this.#taken += 1;
    let held = true;
    return {
      free: () => {
        if (held) this.#taken -= 1;
        held = false;
      },
    };
  }
}
