/**
 * The history file: newline-delimited JSON, one line for each run, the newest last. Runs may end at the same moment, so
 * a line is appended by a single write in append mode and nobody ever waits for a lock. When the file has grown too
 * large one writer replaces it by its newest lines; whoever appended to the old file meanwhile notices that it is another
 * one now, and appends again. So a line may be there twice, never not at all, and readers take the last of each run.
 */
import { type FileHandle, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { errorCode } from '../../schemas/error-code.ts';
import { HISTORY_VERSION, type HistoryLine } from '../../schemas/history.ts';
import { historyBreaks } from '../validate.ts';

/** Some four thousand bytes a run: two years of nights. */
export const MOST_BYTES = 4_000_000;
/** What is kept when it is too large. */
const KEPT_SHARE = 0.75;
/** A writer that has not replaced the file within this time was killed while it did, ms. */
const ABANDONED_MS = 60_000;
const MOST_TRIES = 20;

export interface History {
  /** The oldest first. */
  readonly lines: readonly HistoryLine[];
  /** Lines that are no run: cut short, of another version, or somebody else's. */
  readonly unreadable: number;
}

function parsed(line: string): HistoryLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return historyBreaks(value).length === 0 ? (value as HistoryLine) : undefined;
  } catch {
    return undefined;
  }
}

/** The lines of a text, the last one of each run, by the time at which the runs began. */
export function readLines(text: string): History {
  const all = text.split('\n').filter((line) => line.trim() !== '');
  const read = all.map(parsed);
  const lines = new Map(read.flatMap((line) => (line ? [[line.run.id, line] as const] : [])));
  const byTime = [...lines.values()].sort((a, b) => (a.run.startedAt < b.run.startedAt ? -1 : 1));
  return { lines: byTime, unreadable: read.filter((line) => line === undefined).length };
}

/** Empty where there is no such file. Throws what the file system throws otherwise. */
export async function readHistory(path: string): Promise<History> {
  try {
    return readLines(await readFile(path, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { lines: [], unreadable: 0 };
    throw error;
  }
}

/** Whether the path still leads to the file that is open. */
async function leadsTo(path: string, file: FileHandle): Promise<boolean> {
  try {
    const [there, own] = await Promise.all([stat(path), file.stat()]);
    return there.ino === own.ino && there.dev === own.dev;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** A line that was cut short by a full disk must not take the next one with it. */
async function endsMidLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== '\n'.charCodeAt(0);
}

async function appendOnce(path: string, text: string): Promise<{ readonly landed: boolean; readonly size: number }> {
  const file = await open(path, 'a+');
  try {
    const bytes = Buffer.from((await endsMidLine(file)) ? `\n${text}` : text);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    return { landed: await leadsTo(path, file), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

/**
 * Appends a line, and keeps the file below `mostBytes`. Throws what the file system throws; the line is then not there,
 * or not whole.
 */
export async function appendHistory(path: string, line: HistoryLine, mostBytes: number = MOST_BYTES): Promise<void> {
  const text = `${JSON.stringify({ ...line, schemaVersion: HISTORY_VERSION })}\n`;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const { landed, size } = await appendOnce(path, text);
    if (!landed) continue;
    if (size > mostBytes) await locked(path, () => shorten(path, mostBytes));
    return;
  }
  throw new Error(`${path} was replaced ${MOST_TRIES} times while a line was appended`);
}

/** The lines that begin within the last `bytes` of a larger content; the last one in any case. */
function newest(content: Buffer, bytes: number): Buffer {
  const from = content.indexOf('\n', content.length - Math.floor(bytes) - 1) + 1;
  return content.subarray(Math.min(from, content.lastIndexOf('\n', -2) + 1));
}

/** The lock is a file that only one can make; another writer's is left alone, and the file shortened by a later run. */
async function locked(path: string, work: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  try {
    await (await open(lock, 'wx')).close();
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    await clearAbandoned(lock);
    return;
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Under another name first, so that of two who clear it at once neither removes a lock that was made since. */
async function clearAbandoned(lock: string): Promise<void> {
  const aside = `${lock}.${process.pid}`;
  try {
    const { mtimeMs, ino } = await stat(lock);
    if (Date.now() - mtimeMs < ABANDONED_MS) return;
    await rename(lock, aside);
    if ((await stat(aside)).ino !== ino) await link(aside, lock).catch(() => {});
    await rm(aside, { force: true });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

async function shorten(path: string, mostBytes: number): Promise<void> {
  const old = await open(path, 'r');
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const content = await old.readFile();
    if (content.length <= mostBytes) return;
    const kept = await open(temporary, 'a');
    try {
      await kept.write(newest(content, mostBytes * KEPT_SHARE));
      if (!(await leadsTo(path, old))) return;
      await rename(temporary, path);
      // What was appended to the old file until now would be lost; what comes later is appended again by its writer.
      const late = await old.readFile();
      if (late.length > 0) await kept.write(late);
    } finally {
      await kept.close();
    }
  } finally {
    await old.close();
    await rm(temporary, { force: true });
  }
}
