/**
 * The process as the commands see it: its streams, on which no key is ever printed, its environment, and uncaught
 * errors.
 */
import { redactor } from '../reports/redact.ts';
import { environmentName, secrets } from './cli/options.ts';

/** A test brings its own. */
export interface Host {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Rejects on an exception that no promise chain carries, so that a run can still end in a report. */
  readonly fatal: Promise<never>;
  /** From now on these keys are masked in all output, in every form that a report masks. */
  protect(keys: readonly (string | null | undefined)[]): void;
}

/** The real process. */
export function processHost(): Host {
  const fatal = new Promise<never>((_, reject) => {
    process.on('uncaughtException', reject);
    process.on('unhandledRejection', reject);
  });
  fatal.catch(() => {});
  // A reader that goes away (`proofload plan | head`) ends this process quietly.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  const keys: (string | null | undefined)[] = [];
  let mask = (text: string): string => text;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
    const masked = (chunk: unknown, ...rest: unknown[]): boolean =>
      write(typeof chunk === 'string' ? mask(chunk) : chunk, ...rest);
    stream.write = masked as typeof stream.write;
  }
  const protect = (more: typeof keys): void => {
    keys.push(...more);
    mask = redactor(keys).file;
  };
  protect(secrets.map((name) => process.env[environmentName(name)]));
  return { stdout: process.stdout, stderr: process.stderr, env: process.env, fatal, protect };
}

/** Whether a person sees the output: some CI systems give their jobs a terminal, and all of them set CI. */
export const isAttended = ({ stdout, env: { CI = '' } }: Pick<Host, 'stdout' | 'env'>): boolean =>
  stdout.isTTY && (CI === '' || CI === 'false');

/** One line and a hint; with a stack where debug output is on. */
export function describeCrash(error: unknown, env: Host['env']): string {
  if (env.PROOFLOAD_DEBUG === '1' && error instanceof Error) return `${error.stack ?? error.message}\n`;
  const message = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error);
  return `proofload: unexpected ${message}\nThis is a fault of proofload; PROOFLOAD_DEBUG=1 shows where.\n`;
}

/** What was written is out before the process ends. */
export async function flush({ stdout, stderr }: Host): Promise<void> {
  for (const stream of [stdout, stderr]) await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
