/** What others wait for, until whoever they would disturb lets them. */
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
