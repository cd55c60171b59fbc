/**
 * The history file: newline-delimited JSON, one line for each run, the newest last. Runs may end at the same moment, so
 * a line is appended by a single write in append mode, without a lock. Lines are never removed: each has about 4,000 bytes,
 * and readers read the end of the file.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../../schemas/error-code.ts';
import { HISTORY_VERSION, type HistoryLine } from '../../schemas/history.ts';
import { parseJson } from '../../schemas/json.ts';
import { historyBreaks } from '../validate.ts';

/** What is read of a longer file: a thousand runs. */
export const MOST_BYTES = 4_000_000;

export interface History {
  /** The oldest first. */
  readonly lines: readonly HistoryLine[];
  /** Lines that are no run: cut short, of another version, or of another program. */
  readonly unreadable: number;
}

function parsed(line: string): HistoryLine | undefined {
  const value = parseJson(line);
  return historyBreaks(value).length === 0 ? (value as HistoryLine) : undefined;
}

/** The lines of a text, the last one of each run, by the time at which the runs began. */
export function readLines(text: string): History {
  const all = text.split('\n').filter((line) => line.trim() !== '');
  const read = all.map(parsed);
  const lines = new Map(read.flatMap((line) => (line ? [[line.run.id, line] as const] : [])));
  const byTime = [...lines.values()].sort((a, b) => (a.run.startedAt < b.run.startedAt ? -1 : 1));
  return { lines: byTime, unreadable: read.filter((line) => line === undefined).length };
}

/** The newest of it; empty where there is no such file. Throws what the file system throws otherwise. */
export async function readHistory(path: string, mostBytes = MOST_BYTES): Promise<History> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { lines: [], unreadable: 0 };
    throw error;
  }
  try {
    const { size } = await file.stat();
    // With the byte before, which shows whether the first line is a whole one.
    const from = Math.max(0, size - mostBytes - 1);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const begin = from === 0 ? 0 : buffer.indexOf('\n') + 1;
    return readLines(buffer.toString('utf8', begin, bytesRead));
  } finally {
    await file.close();
  }
}

/** A line that was cut short by a full disk must not damage the next one. */
async function endsMidLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== '\n'.charCodeAt(0);
}

/** Throws what the file system throws; the line is then not there, or not whole. */
export async function appendHistory(path: string, line: HistoryLine): Promise<void> {
  const text = `${JSON.stringify({ ...line, schemaVersion: HISTORY_VERSION })}\n`;
  const file = await open(path, 'a+');
  try {
    const bytes = Buffer.from((await endsMidLine(file)) ? `\n${text}` : text);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
  } finally {
    await file.close();
  }
}
