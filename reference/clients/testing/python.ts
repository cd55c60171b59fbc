/**
 * A Python that has the pinned clients, made once in the user's cache and kept under the hash of what is in it. It is
 * made under a name of its own and renamed, so that an interrupted install is never taken for a whole one.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../../schemas/error-code.ts';

const run = promisify(execFile);
const SCRIPTS = join(import.meta.dirname, '..', 'python');
const INSTALL = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement'];

/**
 * The version line of `python3`, null where there is no such command.
 * @throws Error when there is one that can't be run.
 */
export function pythonVersion(command = 'python3'): string | null {
  const { error, status, stdout, stderr } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  if (errorCode(error) === 'ENOENT') return null;
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} --version ended with ${status}: ${stderr}`);
  return stdout.trim();
}

/** Where the environment for these requirements and this Python is kept. */
export function environmentPath(requirements: string, version: string, env: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash('sha256').update(`${version}\n${requirements}`).digest('hex').slice(0, 16);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'proofload', `python-${hash}`);
}

const interpreterIn = (directory: string): string =>
  process.platform === 'win32' ? join(directory, 'Scripts', 'python.exe') : join(directory, 'bin', 'python');

/** Fills a directory by `make` under a temporary name, unless it is there. Leaves nothing behind when that fails. */
export async function madeOnce(directory: string, make: (temporary: string) => Promise<void>): Promise<void> {
  if (existsSync(directory)) return;
  await mkdir(dirname(directory), { recursive: true });
  const temporary = `${directory}.${randomUUID()}.tmp`;
  try {
    await make(temporary);
    await rename(temporary, directory).catch((error: unknown) => {
      // Another process was quicker, with the same content.
      if (!existsSync(directory)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The interpreter with the clients. Rejects with pip's own words when they can't be installed. */
export async function pythonWithClients(version: string): Promise<string> {
  const file = join(SCRIPTS, 'requirements.txt');
  const directory = environmentPath(await readFile(file, 'utf8'), version);
  await madeOnce(directory, async (temporary) => {
    await run('python3', ['-m', 'venv', temporary]);
    await run(interpreterIn(temporary), [...INSTALL, file]);
  });
  return interpreterIn(directory);
}

/** Runs a script of ours with nothing in its environment that could lead a client elsewhere; gives the JSON it prints. */
export async function runScript(
  python: string,
  [name, ...args]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>>,
): Promise<unknown> {
  const foreign = /^(OPENAI|RUNPOD|HTTPS?_PROXY|ALL_PROXY|PYTHON)/i;
  const inherited = Object.entries(process.env).filter(([key]) => !foreign.test(key));
  const env = { ...Object.fromEntries(inherited), PYTHONIOENCODING: 'utf-8', ...variables };
  const { stdout } = await run(python, [join(SCRIPTS, name), ...args], { env });
  return JSON.parse(stdout);
}
