/**
 * Lines of a ledger that could not be written. On a full disk k6 drops what a script logs, says so in its own log,
 * goes on, and ends with exit code 0: the ledger then looks whole where requests are missing from it.
 */
import { readFile } from 'node:fs/promises';
import type { LostLines } from '../../schemas/generator.ts';

const COMPLAINT = /^Failed to write to log, (.+)$/gm;

/** What k6's own log says of it; undefined when nothing was lost. */
export function lostLines(log: string): LostLines | undefined {
  const complaints = [...log.matchAll(COMPLAINT)];
  const why = complaints[0]?.[1]?.split(': ').at(-1);
  return why === undefined ? undefined : { lines: complaints.length, why };
}

/** The same from the log file. One that is missing says nothing: nothing was started then. */
export async function lostLinesIn(logFile: string): Promise<LostLines | undefined> {
  return lostLines(await readFile(logFile, 'utf8').catch(() => ''));
}
