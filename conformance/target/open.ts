/**
 * Opens a target from its configuration. A reference without addresses is the one inside this process, on a virtual
 * clock; everything else is reached over sockets.
 */
import type { Credentials, TargetConfig } from '../../schemas/target.ts';
import { machineClock } from './clock.ts';
import { Connections } from './connections.ts';
import type { Circumstances } from './long-waits.ts';
import { Target } from './target.ts';

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
  return new Target({
    config,
    credentials,
    dispatcher: new Connections(),
    clock: machineClock,
    virtual: false,
    ...(runId === undefined ? {} : { runId }),
    circumstances,
  });
}
