/** A baseline file on the disk: read before anything is sent, written only for `--update-baseline`, whole or not at all. */
import { readFile, realpath } from 'node:fs/promises';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { writeWhole } from '../atomic.ts';
import type { Baseline } from './baseline.ts';
import { editText } from './edit.ts';
import { readEntries } from './read.ts';
import type { Changes } from './update.ts';

/** Reads a baseline; a file that is missing is an empty one if it `mayBeMissing`. Throws UsageError naming file and line. */
export async function readBaseline(file: string, mayBeMissing: boolean): Promise<Baseline> {
  const text = await textOf(file);
  if (text !== null) return { file, text, entries: readEntries(text, file) };
  if (mayBeMissing) return { file, text, entries: [] };
  throw new UsageError(`--baseline ${file}: no such file; --update-baseline writes one from what a run sees`);
}

/**
 * Writes the changes and resolves with the baseline as it is now. Throws an Error when the file can't be written, or
 * when somebody else wrote it since it was read.
 */
export async function writeBaseline(before: Baseline, changes: Changes): Promise<Baseline> {
  const { file } = before;
  if ((await textOf(file)) !== before.text) {
    throw new Error(`${file} was changed by somebody else during the run; nothing was written to it`);
  }
  const text = editText(before.text, changes);
  if (text !== before.text) {
    // Through a link, so that it stays one.
    const path = await realpath(file).catch(() => file);
    await writeWhole(path, text).catch((error: unknown) => {
      throw new Error(`the baseline can't be written to ${file} (${error instanceof Error ? error.message : error})`);
    });
  }
  return { file, text, entries: readEntries(text, file) };
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? 'unreadable';
    if (code === 'ENOENT') return null;
    throw new UsageError(`--baseline ${file}: cannot be read (${code})`);
  }
}
