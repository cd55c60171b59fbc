/**
 * Ctrl-C, twice over: the first one stops the load and lets the run clean up and report, the second one leaves at once.
 */
export const INTERRUPTED = 130;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** Stops the run for another reason than a signal. */
  abort(): void;
  dispose(): void;
}

interface Process {
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

/** Listens until it is disposed of. `say` gets the one line for the person at the keyboard. */
export function onInterrupt(say: (line: string) => void, host: Process = process): Interrupt {
  const controller = new AbortController();
  const listener = (): void => {
    if (controller.signal.aborted) {
      host.exit(INTERRUPTED);
      return;
    }
    say('stopping: cleaning up and writing what there is; Ctrl-C again to leave at once');
    controller.abort(new Error('interrupted'));
  };
  host.on('SIGINT', listener);
  host.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    abort: () => controller.abort(new Error('stopped')),
    dispose: () => {
      host.off('SIGINT', listener);
      host.off('SIGTERM', listener);
    },
  };
}
