/** Reads the lines of a growing file, so that the progress of another process can be shown and acted on. */
import { createReadStream, existsSync } from 'node:fs';

export interface LineWatch {
  stop(): void;
}

const EVERY_MS = 500;

/**
 * Tells `told` the number of lines so far, each `everyMs` and only when it grew, and `each` every whole line before
 * that. The file may not exist yet.
 */
export function watchLines(
  file: string,
  told: (lines: number) => void,
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
        if (lines > before) told(lines);
      });
  };
  const timer = setInterval(read, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
