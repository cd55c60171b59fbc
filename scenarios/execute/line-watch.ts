/** Counts the lines of a growing file, so that the progress of another process can be shown. */
import { createReadStream, existsSync } from 'node:fs';

export interface LineWatch {
  stop(): void;
}

const NEWLINE = 10;

/** Tells `told` the number of lines so far, each `everyMs` and only when it grew. The file may not exist yet. */
export function watchLines(file: string, told: (lines: number) => void, everyMs = 500): LineWatch {
  let offset = 0;
  let lines = 0;
  let reading = false;
  const read = () => {
    if (reading || !existsSync(file)) return;
    reading = true;
    const before = lines;
    createReadStream(file, { start: offset })
      .on('data', (chunk) => {
        offset += chunk.length;
        for (const byte of Buffer.from(chunk)) if (byte === NEWLINE) lines += 1;
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
