/** Reads the lines of a growing ledger: its progress, when its preparation is over, and which lines got lost. */
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LostLines } from '../../schemas/generator.ts';

// Lines of a ledger that could not be written. On a full disk k6 drops what a script logs, notes it in its own log,
// goes on, and ends with exit code 0: the ledger then looks whole where requests are missing from it.

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

/** Calls `begun` at the first entry of another phase than `setup`; the lines that are no entries are marks and jobs. */
export function onceBegun(begun: () => void): (line: string) => void {
  let reported = false;
  return (line) => {
    if (reported || !line.startsWith('["') || line.startsWith('["setup"')) return;
    reported = true;
    begun();
  };
}

export interface LineWatch {
  stop(): void;
}

const EVERY_MS = 500;

/**
 * Calls `reported` with the number of lines so far, each `everyMs` and only when it grew, and `each` with every whole
 * line before that. The file may not exist yet.
 */
export function watchLines(
  file: string,
  reported: (lines: number) => void,
  each: (line: string) => void = () => {},
  everyMs = EVERY_MS,
): LineWatch {
  let offset = 0;
  let lines = 0;
  let rest = '';
  let reading = false;
  const read = () => {
    if (reading || !existsSync(file)) return;
    reading = true;
    const before = lines;
    createReadStream(file, { start: offset })
      .on('data', (chunk) => {
        offset += chunk.length;
        const parts = (rest + chunk.toString()).split('\n');
        rest = parts.pop() ?? '';
        lines += parts.length;
        for (const line of parts) each(line);
      })
      .on('error', () => {})
      .on('close', () => {
        reading = false;
        if (lines > before) reported(lines);
      });
  };
  const timer = setInterval(read, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
