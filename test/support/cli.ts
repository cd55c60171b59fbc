/** Runs the built command the way a user does: as a process, with an environment of its own and a directory of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../scripts/package.ts';

export const MAIN = join(packageRoot(), 'dist', 'scripts', 'main.js');
/** Long and odd enough to be found wherever it should not be. */
export const KEY = 'sk-e2e-7f3a91c05d';

export interface CliOptions {
  /** Another proofload than the one that was built here. */
  readonly main?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called once stdout holds this text. */
  readonly when?: { readonly text: RegExp; readonly act: (child: ChildProcess) => void };
}

export interface Ended {
  /** The signal that killed it, where one did. */
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'proofload-e2e-'));
}

/** What a shell would give us, without anything of ours that the person running the tests has set. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(PROOFLOAD_|VITEST|GITHUB_)/.test(name) || name === 'NODE_ENV'
      ? []
      : [[name, value] as const],
  );
  return { ...Object.fromEntries(inherited), ...extra };
}

export async function cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [options.main ?? MAIN, ...args], {
    cwd: options.cwd ?? temporaryDirectory(),
    env: cleanEnvironment(options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  let waiting = options.when;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (waiting?.text.test(stdout)) {
      const { act } = waiting;
      waiting = undefined;
      act(child);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals];
  return { code: code ?? signal, stdout, stderr };
}

export interface ServedReference {
  readonly url: string;
  /** Flags and environment that make it the target of a run: all three of its instances are ours alone. */
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  /** It takes connections and answers nothing until it goes on. */
  hold(): void;
  goOn(): void;
  stop(): Promise<void>;
}

/** `proofload serve` in a process, and the configuration that points a run at it. */
export async function serveReference(args: readonly string[] = [], main = MAIN): Promise<ServedReference> {
  const env = { PROOFLOAD_ACCESS_KEY: KEY };
  const child = spawn(process.execPath, [main, 'serve', ...args], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line]: unknown[] = await once(lines, 'line');
  const url = String(line).replace(/^listening /, '');
  const config = `baseUrl: ${url}
jobBaseUrl: ${url}
accessKey: \${PROOFLOAD_ACCESS_KEY}
otherAddress: 127.0.0.2
endpoints:
  - { instId: inst-1, workersMax: 3, dedicated: true }
  - { instId: inst-queue, workersMax: 1, dedicated: true }
  - { instId: inst-none, workersMax: 0, dedicated: true }
`;
  return {
    url,
    config,
    env: { ...env, PROOFLOAD_BROKE_KEY: 'proofload-broke', PROOFLOAD_OTHER_KEY: 'proofload-other' },
    hold: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
