/**
 * Opens a target from its configuration. A reference without addresses is the one inside this process, on a virtual
 * clock; everything else is reached over sockets.
 */
import { Agent } from 'undici';
import type { Credentials, TargetConfig } from '../../schemas/target.ts';
import { machineClock } from './clock.ts';
import type { Circumstances } from './meanwhile.ts';
import { Target } from './target.ts';

/**
 * Idle connections are given up after a second, long before servers do: a request that meets a closing connection
 * would look like a fault of the target.
 */
const KEEP_ALIVE_MS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;

export function isInProcess(config: TargetConfig): boolean {
  return config.kind === 'reference' && config.baseUrl === null && config.jobBaseUrl === null;
}

/**
 * @param credentials keys of the target; the in-process reference has its own defaults where they are null.
 * @param circumstances of a target over sockets; default: what the spec promises, and no load
 */
export async function openTarget(
  config: TargetConfig,
  credentials: Credentials,
  runId?: string,
  circumstances: Partial<Circumstances> = {},
): Promise<Target> {
  if (isInProcess(config)) {
    const { openReference } = await import('./in-process.ts');
    return openReference({ config, credentials, ...(runId === undefined ? {} : { runId }) });
  }
  const dispatcher = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  return new Target({
    config,
    credentials,
    dispatcher,
    clock: machineClock,
    virtual: false,
    ...(runId === undefined ? {} : { runId }),
    circumstances,
  });
}
