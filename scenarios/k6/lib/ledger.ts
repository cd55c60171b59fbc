/**
 * Writes ledger lines. k6 sends `console.log` of a script, and nothing else, to the file named by `--console-output`,
 * one line a call; no script may log anything but through here.
 */
import { encodeEntry, encodeMark, type LedgerEntry } from '../../../schemas/ledger.ts';
import { encodeOwnJob } from '../../execute/own-jobs.ts';
import { now } from './clock.ts';

/**
 * Is `console.log` itself after the first line: k6 makes a new function each time that is read, and any function around
 * it costs a load more than the line does.
 */
export let write: (line: string) => void = (line) => {
  write = console.log;
  write(line);
};

export const record = (entry: LedgerEntry): void => write(encodeEntry(entry));

/**
 * The first line. Returns the wall time at which the script's clock was zero: `teardown`, where k6 has that clock no
 * more, needs it for the last line.
 */
export function markStart(): number {
  const [wallMs, monotonicMs] = [Date.now(), now()];
  write(encodeMark({ mark: 'start', wallMs, monotonicMs }));
  return wallMs - monotonicMs;
}

export function markEnd(zeroWallMs: number): void {
  const wallMs = Date.now();
  write(encodeMark({ mark: 'end', wallMs, monotonicMs: wallMs - zeroWallMs }));
}

/** Records a job that has to be cancelled if this process is stopped before it does so itself. */
export function recordOwnJob(jobId: string): void {
  write(encodeOwnJob(jobId));
}
