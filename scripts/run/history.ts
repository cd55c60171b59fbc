/** Which file a run leaves its line in; named by hand it has to be one that can be written, before anything is sent. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { PARENT } from './directory.ts';

export const DEFAULT_HISTORY = join(PARENT, 'history.ndjson');

/** The file that `--history` names, or the one that every run in this directory shares. Throws UsageError. */
export async function historyFile(named: string | undefined): Promise<string> {
  if (named === undefined) return DEFAULT_HISTORY;
  try {
    await access(named, constants.R_OK | constants.W_OK);
    if ((await stat(named)).isDirectory()) throw new UsageError(`--history ${named} is a directory; name a file`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (errorCode(error) !== 'ENOENT')
      throw new UsageError(`--history ${named} can't be read and written; name another file`);
    await requireDirectory(named);
  }
  return named;
}

async function requireDirectory(named: string): Promise<void> {
  try {
    await access(dirname(resolve(named)), constants.W_OK);
  } catch {
    throw new UsageError(`--history ${named} can't be written: there is no directory for it, or none that takes it`);
  }
}
