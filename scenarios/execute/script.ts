/** Runs a probe's k6 script and turns what it wrote into a ledger. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { encodeLost } from '../../schemas/ledger-machine.ts';
import { PARAMETERS_FILE, type RunnerParameters, type ScriptParameters, TARGET_KEY } from '../k6/lib/parameters.ts';
import { canBeParted, kindOf } from '../kinds/index.ts';
import type { Probe, ProbeParameters } from '../probe.ts';
import { watchClock, withClockStep } from './clock-watch.ts';
import type { ProbeEnvironment, Sending } from './environment.ts';
import { type K6Outcome, type K6Part, runK6 } from './k6-process.ts';
import { lostLinesIn, onceBegun, watchLines } from './line-watch.ts';
import { separateOwnJobs } from './own-jobs.ts';
import { headersFor, type OutgoingRequest, outgoing, userAgentOf } from './requests.ts';

/** Since 1970, with fractions. */
const timeMs = (): number => performance.timeOrigin + performance.now();

/** On a free port of this machine. */
async function serveTime(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((_request, response) => void response.end(String(timeMs())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/`, close };
}

// Gives back what a stopped probe still holds on the target: its long jobs, and the queue it had filled.

const PATIENCE_MS = 3000;

/**
 * Cancels the jobs and, if requested, purges the queue. Best effort: it runs when the load is being stopped, so a
 * target that refuses or does not respond is left alone.
 */
export async function releaseOwnJobs(
  { addresses, key }: Sending,
  own: { readonly jobIds: readonly string[]; readonly purge: boolean },
): Promise<void> {
  const send = async (one: OutgoingRequest) => {
    const { body } = await request(one.url, {
      method: one.method,
      headers: { ...headersFor(key, false), 'User-Agent': userAgentOf(addresses) },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await body.dump();
  };
  // The queue first: a worker that is given back would take a job from it.
  if (own.purge) await Promise.allSettled([send(outgoing(addresses, 'purge-queue'))]);
  await Promise.allSettled(own.jobIds.map((jobId) => send(outgoing(addresses, 'cancel', { jobId }))));
}

/** The nearest folder, upward from this file, with a package.json. Throws when there is none. */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json above ${from}`);
  }
}

/** A script starts nothing later than this: half as much again as the probe should take, and time for slow answers. */
const patience = (estimateMs: number): number => estimateMs * 1.5 + 60_000;
/** On top of that, for a script to drain: after this it has hung. */
const DEADLINE_MARGIN_MS = 90_000;

/** Where the build puts the bundled scripts. */
export function scriptsFolder(): string {
  return join(packageRoot(), 'dist', 'k6');
}

/** What the script is given, but for the key. */
export function scriptParameters(
  probe: Pick<Probe, 'parameters' | 'estimateMs'>,
  { addresses, workersMax }: Omit<Sending, 'key'>,
  runner?: RunnerParameters,
): ScriptParameters {
  const patienceMs = patience(probe.estimateMs);
  return { probe: probe.parameters, addresses, workersMax, patienceMs, ...(runner ? { runner } : {}) };
}

/**
 * The script has the name of the kind.
 * @param follow gets the id of the k6 process once it runs
 */
export async function runScript(
  probe: Probe,
  sending: Sending,
  env: ProbeEnvironment,
  scripts: string,
  follow: (pid: number) => void = () => {},
): Promise<string> {
  const script = join(scripts, `${probe.parameters.kind}.js`);
  if (!existsSync(script)) throw new Error(`${script} is missing: build the package first (npm run build)`);
  const count = runnersOf(probe.parameters, env);
  const clock = count > 1 ? await serveTime() : undefined;
  const startAtMs = timeMs();
  const done = new Array<number>(count).fill(0);
  const runOne = async (index: number): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'proofload-script-'));
    const progress = (lines: number): void => {
      done[index] = lines;
      env.progress(done.reduce((sum, one) => sum + one, 0));
    };
    const from = env.sources?.[index];
    const part = { index, count, ...(from ? { from } : {}) };
    const together = clock ? { part, runner: { startAtMs, afterMs: 0, timeUrl: clock.url } } : {};
    try {
      return await runIn(folder, script, probe, sending, { ...env, progress }, follow, together);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  try {
    const parts = await Promise.all(done.map((_, index) => runOne(index)));
    return parts.map((part) => part.trimEnd()).join('\n');
  } finally {
    await clock?.close();
  }
}

/** Where it is about their number, that is the probe's. */
function runnersOf(parameters: ProbeParameters, { runners = 1 }: ProbeEnvironment): number {
  if (!canBeParted(parameters)) return 1;
  return 'runners' in parameters ? parameters.runners : runners;
}

interface Together {
  readonly part?: K6Part;
  readonly runner?: RunnerParameters;
}

async function runIn(
  folder: string,
  script: string,
  probe: Probe,
  sending: Sending,
  env: ProbeEnvironment,
  follow: (pid: number) => void,
  { part, runner }: Together = {},
): Promise<string> {
  const [ledgerFile, parametersFile, configFile] = ['ledger', 'parameters.json', 'config.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const { key } = sending;
  const parameters = scriptParameters(probe, sending, runner);
  const { patienceMs } = parameters;
  await writeFile(parametersFile, JSON.stringify(parameters));
  await writeFile(configFile, '{}');
  const lines = watchLines(
    ledgerFile,
    env.progress,
    onceBegun(() => env.prepared?.()),
  );
  const clock = watchClock();
  const logFile = join(env.dir, 'k6', `${probe.id}.log`);
  const outcome = await runK6({
    k6Bin: env.k6Bin,
    script,
    ledgerFile,
    logFile,
    configFile,
    env: {
      [PARAMETERS_FILE]: parametersFile,
      ...(key === null ? {} : { [TARGET_KEY]: key }),
      ...(await trusted(folder, process.env)),
    },
    ...(part ? { part } : {}),
    deadlineMs: patienceMs + DEADLINE_MARGIN_MS,
    signal: env.signal,
    started: follow,
  });
  const stepMs = clock.stop();
  lines.stop();
  const written = existsSync(ledgerFile) ? await readFile(ledgerFile, 'utf8') : '';
  const { ledger: sound, jobIds } = separateOwnJobs(written);
  const lost = await lostLinesIn(logFile);
  const ledger = lost ? `${sound}\n${encodeLost(lost)}\n` : sound;
  if (!isComplete(outcome)) {
    await releaseOwnJobs(sending, { jobIds, purge: kindOf(probe.parameters).purges === true && written !== '' });
    return withoutEnd(ledger);
  }
  return withClockStep(ledger, stepMs);
}

/**
 * k6 has to trust the same authorities as Node; it reads one variable for that, and Node an additional one.
 * @param folder for a file with the authorities of both
 */
export async function trusted(
  folder: string,
  { NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: own }: NodeJS.ProcessEnv,
): Promise<Record<string, string>> {
  if (!extra || extra === own) return {};
  if (!own) return { SSL_CERT_FILE: extra };
  const both = join(folder, 'trusted.pem');
  // Node starts without one that can't be read, too.
  const texts = await Promise.all([own, extra].map((path) => readFile(path, 'utf8').catch(() => '')));
  await writeFile(both, texts.join('\n'));
  return { SSL_CERT_FILE: both };
}

/** k6 runs `teardown`, and with it the `end` mark, also after an interruption: that mark must be dropped then. */
function isComplete(outcome: K6Outcome): boolean {
  return outcome.exitCode === 0 && outcome.stopped === null;
}

function withoutEnd(ledger: string): string {
  return ledger
    .split('\n')
    .filter((line) => !line.startsWith('{"mark":"end"'))
    .join('\n');
}
