/**
 * Files of a report appear whole or not at all: a CI job that collects the directory while a run is killed must never
 * pick up half a results.json. `latest` next to the run's directory points at the newest run.
 */
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../schemas/error-code.ts';

/** Writes a file through a temporary one in the same directory. Throws what the file system throws. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Points `latest` next to `dir` at it: a relative symbolic link, or a file with the name where the file system has no
 * links. A directory called `latest` is left alone. Returns the path, or null when there is no such pointer, which is
 * only a convenience.
 */
export async function pointLatest(dir: string): Promise<string | null> {
  const run = resolve(dir);
  const pointer = join(dirname(run), 'latest');
  if (pointer === run) return null;
  const temporary = `${pointer}.${process.pid}.tmp`;
  try {
    await symlink(basename(run), temporary, 'dir');
    await rename(temporary, pointer);
    return pointer;
  } catch {
    await rm(temporary, { force: true });
  }
  try {
    await writeWhole(pointer, `${basename(run)}\n`);
    return pointer;
  } catch {
    return null;
  }
}

/**
 * Makes the directory, with its parents; true when it was not there before. One level at a time, because Node's own
 * recursive way never ends where a parent exists and yet takes no directory, as under /proc.
 */
export async function makeDirectory(dir: string): Promise<boolean> {
  try {
    await mkdir(dir);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await stat(dir)).isDirectory()) return false;
    if (code !== 'ENOENT' || !(await makeParent(dir))) throw error;
  }
  await mkdir(dir);
  return true;
}

/** False when the parent was there already, so that its absence cannot be what went wrong. */
async function makeParent(dir: string): Promise<boolean> {
  const parent = dirname(dir);
  return parent !== dir && (await makeDirectory(parent));
}
