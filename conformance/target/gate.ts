/** A gate: callers wait until it is opened by the one that they would disturb. */
export class Gate {
  #open: () => void = () => {};
  readonly opened: Promise<void>;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** For good. */
  open(): void {
    this.#open();
  }
}
