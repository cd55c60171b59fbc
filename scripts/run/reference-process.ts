/**
 * The reference in a process of its own, so that the load generator and what it measures don't share an event loop.
 * It is our own `serve` on a free port; it ends with us, also when we are killed, because its IPC channel closes then.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { defaultOptions } from '../../reference/options.ts';
import type { Credentials, TargetConfig } from '../../schemas/target.ts';
import type { Environment } from '../cli/options.ts';
import { packageRoot } from '../package.ts';

export interface RunningReference {
  readonly url: string;
  stop(): Promise<void>;
}

/** The second one after 127.0.0.1, where the system takes all of 127.0.0.0/8 for its own. */
const SECOND_LOOPBACK = '127.0.0.2';

/** A second client address towards a reference on this machine; none where the system has no second loopback address. */
export async function secondAddress(): Promise<Pick<TargetConfig, 'otherAddress'>> {
  const server = createServer();
  try {
    await once(server.listen(0, SECOND_LOOPBACK), 'listening');
    return { otherAddress: SECOND_LOOPBACK };
  } catch {
    return {};
  } finally {
    server.close();
  }
}

/** What the reference offers, as a target's description; without addresses it is the one called in-process. */
export function referenceTarget(url: string | null): TargetConfig {
  const { instances, models } = defaultOptions({});
  return {
    kind: 'reference',
    baseUrl: url,
    jobBaseUrl: url,
    endpoints: instances.map((one) => ({ ...one, dedicated: true })),
    model: models[0]?.id ?? null,
  };
}

/** The keys it accepts: those that were given, else its own. */
export function referenceCredentials(given: Credentials): Credentials {
  const own = defaultOptions({});
  const accessKey = given.accessKey ?? own.accessKeys[0] ?? null;
  return {
    accessKey,
    jobKey: given.jobKey ?? accessKey,
    brokeKey: given.brokeKey ?? own.brokeKeys[0] ?? null,
    otherKey: given.otherKey ?? own.otherKeys[0] ?? null,
  };
}

/** Resolves once it listens. Throws when it ends or says something else first. */
export async function startReference(credentials: Credentials, env: Environment): Promise<RunningReference> {
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'scripts', 'main.js'), 'serve'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A Ctrl-C at the terminal reaches the whole process group; the reference has to outlive our cleaning up.
    detached: true,
    env: childEnvironment(env, credentials),
  });
  const url = await firstAddress(child);
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await ended;
      clearTimeout(patience);
    },
  };
}

/** Ours without the options meant for the run itself, such as a WorkersMax. */
function childEnvironment(env: Environment, credentials: Credentials): NodeJS.ProcessEnv {
  const rest = Object.entries(env).filter(([name]) => !name.startsWith('PROOFLOAD_'));
  return {
    ...Object.fromEntries(rest),
    PROOFLOAD_ACCESS_KEY: credentials.accessKey ?? undefined,
    PROOFLOAD_JOB_KEY: credentials.jobKey ?? undefined,
    PROOFLOAD_BROKE_KEY: credentials.brokeKey ?? undefined,
    PROOFLOAD_OTHER_KEY: credentials.otherKey ?? undefined,
  };
}

async function firstAddress(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the reference was started without its output');
  let complaint = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-500);
  });
  const lines = createInterface({ input: stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]: unknown[]) => String(text)),
    once(child, 'exit').then(([code]: unknown[]) => `exit ${code}`),
  ]);
  lines.close();
  stdout.resume();
  const url = /^listening (http:\/\/\S+)$/.exec(line)?.[1];
  if (url === undefined) throw new Error(`the reference did not start: ${complaint.trim() || line}`);
  return url;
}
