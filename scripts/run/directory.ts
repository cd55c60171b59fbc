/**
 * The directory of a run, made and proven writable before anything is sent: a run whose report can't be written would
 * put load on a service in vain. An old report in it is removed first, so that it can't be mistaken for the new one.
 */
import { randomBytes } from 'node:crypto';
import { readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../reports/index.ts';
import { SAMPLES_FILE } from '../../reports/latency/samples.ts';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';

/** Names a run: sorts by time and is unlike any other, `20261121-030405-9f3a`. */
export function newRunId(now: Date = new Date(), random: () => string = () => randomBytes(2).toString('hex')): string {
  const [date, time] = now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .split('T');
  return `${date?.replaceAll('-', '')}-${time?.replaceAll(':', '')}-${random()}`;
}

/** Where runs are kept side by side, in the working directory. */
export const PARENT = 'proofload-report';
/** What a run leaves behind; only these are removed from a directory that is used again. */
const ours: readonly string[] = [
  'results.json',
  'report.html',
  'junit.xml',
  'summary.md',
  'ledger',
  'k6',
  SAMPLES_FILE,
];

export interface RunDirectory {
  readonly path: string;
  /** Removes the directory again when the run never began; keeps it when something is in it. */
  discard(): Promise<void>;
}

/** `out` is the run's directory itself; without it a new one is made. Throws UsageError when it can't be written. */
export async function openRunDirectory(
  out: string | undefined,
  runId: string,
  cwd: string = process.cwd(),
): Promise<RunDirectory> {
  const path = out === undefined ? resolve(cwd, PARENT, runId) : resolve(cwd, out);
  const created = await prepare(path, out);
  return {
    path,
    discard: async () => {
      if (created) await rmdir(path).catch(() => {});
    },
  };
}

async function prepare(path: string, out: string | undefined): Promise<boolean> {
  const option = out === undefined ? `the directory ${PARENT} here` : `--out ${out}`;
  try {
    const created = await makeDirectory(path);
    const foreign = (await readdir(path)).find((name) => !ours.includes(name));
    if (foreign !== undefined) {
      throw new UsageError(`${option} holds something else ('${foreign}'); give a directory that is new or a report's`);
    }
    for (const name of ours) await rm(join(path, name), { recursive: true, force: true });
    const trial = join(path, '.writable');
    await writeFile(trial, '');
    await rm(trial);
    return created;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const code = errorCode(error) ?? String(error);
    throw new UsageError(`${option} can't be written (${code}); give a directory that can with --out`);
  }
}
