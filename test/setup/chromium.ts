/**
 * A Chromium for the tests of the HTML report: an installed one, else Debian's package when we may install it, else a
 * message about what to install.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of an executable: CHROMIUM_BIN, the usual names on the PATH, the usual places; undefined when there is none. */
export function findChromium(env: Environment): string | undefined {
  if (env.CHROMIUM_BIN) return env.CHROMIUM_BIN;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere].find(isExecutable);
}

/** Installs Debian's package. Throws with a remedy where that isn't possible. */
export function installChromium(): string {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('installing chromium for the tests of the report\n');
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  }
  const found = findChromium(process.env);
  if (found === undefined) {
    throw new Error('the tests of the report need Chromium or Chrome: install one, or set CHROMIUM_BIN to it');
  }
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
