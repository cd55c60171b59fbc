/** `proofload doctor`: whether this machine, the configuration and the target are fit for a run, and what to do where not. */
import { createServer } from 'node:net';
import { availableParallelism, freemem } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { checkWiring } from '../../conformance/index.ts';
import { UsageError } from '../../schemas/target.ts';
import { readSettings, requireKeys, type Settings } from '../cli/settings.ts';
import type { RawOptions } from '../cli/values.ts';
import type { Host } from '../host.ts';
import { cacheDirectory, writableCache } from '../k6/cache.ts';
import { provisionK6 } from '../k6/provision.ts';
import { newRunId } from '../run/directory.ts';
import { checkThroughK6 } from '../run/through-k6.ts';
import { styleFor } from '../style.ts';

interface Finding {
  /** `note`: a run works, but something should be known. */
  readonly is: 'fine' | 'note' | 'wrong';
  readonly says: string;
}

const fine = (says: string): Finding => ({ is: 'fine', says });
const note = (says: string): Finding => ({ is: 'note', says });

const LEAST_MEMORY = 1024 ** 3;
const LEAST_CORES = 2;
const CLOCK_CHECK_MS = 300;
/** A wall clock that is set while it is measured. */
const CLOCK_STEP_MS = 20;

/** Prints a line for each part. Resolves with 0 where a run would work, else with 2. */
export async function diagnose(flags: RawOptions, host: Host): Promise<number> {
  const { signal } = new AbortController();
  const style = styleFor(host.stdout);
  const signs = { fine: style('pass', '✓'), note: style('inconclusive', '!'), wrong: style('fail', '✕') };
  let failed = false;
  const examine = async <T>(name: string, find: () => Promise<readonly [Finding, T?]>): Promise<T | undefined> => {
    const [finding, found] = await find().catch((error: unknown): [Finding] => {
      if (!(error instanceof UsageError)) throw error;
      return [{ is: 'wrong', says: error.message.replaceAll('\n', '; ') }];
    });
    failed ||= finding.is === 'wrong';
    host.stdout.write(`${signs[finding.is]} ${name.padEnd(8)} ${finding.says}\n`);
    return found;
  };
  await examine('node', async () => [fine(process.version)]);
  await examine('memory', memory);
  await examine('clock', clock);
  await examine('ports', ports);
  await examine('cache', () => cache(host));
  const k6 = await examine('k6', async () => {
    const found = await provisionK6({ progress: quiet, signal, env: host.env });
    return [fine(`${found.version}, ${found.how}: ${found.path}`), found];
  });
  const settings = await examine('options', () => options(flags, host));
  const target = settings?.target ?? null;
  if (settings === undefined || target === null) return failed ? 2 : 0;
  const { credentials } = settings;
  const isKeyed = await examine('keys', async () => {
    requireKeys(target, credentials);
    return [fine('set'), true];
  });
  if (isKeyed) {
    await examine('target', async () => {
      const runId = newRunId();
      const wired = await checkWiring({ target, credentials, runId, signal });
      const parts = { target: wired.target, credentials, runId, signal };
      if (k6) await checkThroughK6({ ...parts, k6Bin: k6.path });
      const { roundTripMs, quickJobMs } = wired.calibration;
      const job = quickJobMs === null ? '' : `, a quick job ${Math.round(quickJobMs)} ms`;
      return [fine(`answers Node${k6 ? ' and k6' : ''}; a round trip takes ${roundTripMs.toFixed(1)} ms${job}`)];
    });
  }
  return failed ? 2 : 0;
}

const quiet = { begin() {}, advance() {}, end() {}, note() {} };

async function memory(): Promise<readonly [Finding]> {
  const [free, cores] = [freemem(), availableParallelism()];
  const says = `${(free / 1024 ** 3).toFixed(1)} GiB free, ${cores} processors`;
  if (free >= LEAST_MEMORY && cores >= LEAST_CORES) return [fine(says)];
  return [note(`${says}; bursts want 1 GiB and 2 processors, else limits may stay inconclusive`)];
}

async function clock(): Promise<readonly [Finding]> {
  const [wallMs, ms] = [Date.now(), performance.now()];
  await setTimeout(CLOCK_CHECK_MS);
  const stepMs = Math.abs(Date.now() - wallMs - (performance.now() - ms));
  if (stepMs < CLOCK_STEP_MS) return [fine('steady')];
  return [
    note(`the wall clock moved by ${Math.round(stepMs)} ms within ${CLOCK_CHECK_MS} ms; see to its time service`),
  ];
}

async function ports(): Promise<readonly [Finding]> {
  const server = createServer();
  const error = await new Promise<Error | null>((resolve) => {
    server.once('error', resolve);
    server.listen(0, '127.0.0.1', () => resolve(null));
  });
  server.close();
  if (error === null) return [fine('a loopback port can be listened on, as the reference does')];
  return [note(`no loopback port can be listened on (${error.message}), so the reference can't be started`)];
}

async function cache({ env }: Host): Promise<readonly [Finding]> {
  const [usual, found] = [cacheDirectory(env), await writableCache(env)];
  if (usual === found) return [fine(usual)];
  return [note(`${usual} can't be written, so k6 is kept in ${found}; set XDG_CACHE_HOME to keep it longer`)];
}

async function options(flags: RawOptions, { env }: Host): Promise<readonly [Finding, Settings]> {
  const settings = readSettings('doctor', flags, env, true);
  if (settings.target === null) return [note('no target given; the reference would be verified'), settings];
  const { endpoints, jobBaseUrl, baseUrl } = settings.target;
  const shared = endpoints.filter(({ dedicated }) => !dedicated).map(({ instId }) => instId);
  const unknown = endpoints.filter(({ workersMax }) => workersMax === null).map(({ instId }) => instId);
  const lacking = [
    ...(shared.length > 0
      ? [`without --dedicated the queue and some rates of ${shared.join(', ')} are left alone`]
      : []),
    ...(unknown.length > 0 ? [`without --workers-max the queue limit of ${unknown.join(', ')} is not known`] : []),
  ];
  const says = [...new Set([baseUrl, jobBaseUrl])].filter((url) => url !== null).join(' and ');
  return [lacking.length === 0 ? fine(says) : note(`${says}; ${lacking.join('; ')}`), settings];
}
