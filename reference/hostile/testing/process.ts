/** The reference in a process of its own, so that a crash and its memory can be seen. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const KEY = 'hostile-key';

const MAIN = join(import.meta.dirname, '..', '..', '..', 'dist', 'scripts', 'main.js');
const MEGABYTE = 1_000_000;

export interface Watched {
  readonly port: number;
  readonly url: string;
  readonly alive: () => boolean;
  /** What the process printed to stderr: nothing, unless something broke. */
  readonly complaints: () => string;
  /** Memory in use, megabytes; the most there ever was where the system has it. */
  megabytes(): number;
  stop(): Promise<void>;
}

function memoryOf(child: ChildProcess): number {
  const file = `/proc/${child.pid}/status`;
  if (existsSync(file)) {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1];
    if (kilobytes !== undefined) return (Number(kilobytes) * 1024) / MEGABYTE;
  }
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) * 1024) / MEGABYTE;
}

/** `settings`: as `--set` takes them. */
export async function watched(settings: readonly string[] = []): Promise<Watched> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...settings.flatMap((one) => ['--set', one])], {
    env: { ...process.env, PROOFLOAD_ACCESS_KEY: KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  const url = String(line).replace(/^listening /, '');
  return {
    url,
    port: Number(new URL(url).port),
    alive: () => child.exitCode === null && child.signalCode === null,
    complaints: () => complaints,
    megabytes: () => memoryOf(child),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
