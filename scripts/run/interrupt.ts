/**
 * Ctrl-C (or SIGTERM, as CI sends it), twice over: the first one stops the load and lets the run clean up and report, the second one leaves at once.
 */
export const INTERRUPTED = 130;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** The cause as text; undefined where there was none. */
  readonly by: () => string | undefined;
  /** Stops the run for another reason than a signal. */
  abort(): void;
  dispose(): void;
}

type Signal = 'SIGINT' | 'SIGTERM';
const WORDS: Readonly<Record<Signal, string>> = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM' };

interface Process {
  on(event: Signal, listener: (signal: Signal) => void): unknown;
  off(event: Signal, listener: (signal: Signal) => void): unknown;
  exit(code: number): void;
}

/** Listens until it is disposed of. `say` gets the one line for the person at the keyboard. */
export function onInterrupt(say: (line: string) => void, host: Process = process): Interrupt {
  const controller = new AbortController();
  let by: string | undefined;
  const listener = (signal: Signal): void => {
    if (controller.signal.aborted) {
      host.exit(INTERRUPTED);
      return;
    }
    say('stopping: cleaning up and writing what there is; Ctrl-C again to leave at once');
    by = WORDS[signal];
    controller.abort(new Error('interrupted'));
  };
  host.on('SIGINT', listener);
  host.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    by: () => by,
    abort: () => controller.abort(new Error('stopped')),
    dispose: () => {
      host.off('SIGINT', listener);
      host.off('SIGTERM', listener);
    },
  };
}
