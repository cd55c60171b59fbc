/** `proofload open`: shows a report in a browser, the newest one where no directory is named. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../schemas/target.ts';
import type { Host } from '../host.ts';
import { PARENT } from '../run/directory.ts';

/** Resolves with 0. Throws UsageError where there is no report. Where nothing opens it, its path is printed all the same. */
export async function openReport(directories: readonly string[], host: Host): Promise<number> {
  const [given, ...more] = directories;
  if (more.length > 0) throw new UsageError('open takes one directory');
  const page = resolve(given ?? join(PARENT, 'latest'), 'report.html');
  if (!existsSync(page)) {
    throw new UsageError(`there is no ${page}; name the directory of a run, or run \`proofload verify\` first`);
  }
  host.stdout.write(`${page}\n`);
  const [command, ...words] = openerOf(process.platform, host.env);
  const opened = await started(command, [...words, page]);
  if (!opened) host.stderr.write(`proofload: ${command} could not be started; open the page by hand\n`);
  return 0;
}

/** What opens a file for a person; BROWSER wins. */
export function openerOf(platform: string, env: Host['env']): readonly [string, ...string[]] {
  if (env.BROWSER) return [env.BROWSER];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return [platform === 'darwin' ? 'open' : 'xdg-open'];
}

function started(command: string, words: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
