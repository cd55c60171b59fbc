/** `proofload serve`: the reference on a socket, with the chosen settings and faults, until it is stopped. */
import { defaultOptions, type ReferenceOptions } from '../../reference/options.ts';
import { type Served, serve } from '../../reference/server.ts';
import { errorCode } from '../../schemas/error-code.ts';
import { UsageError } from '../../schemas/target.ts';
import { readValues } from '../cli/settings.ts';
import type { OptionValues, RawOptions } from '../cli/values.ts';
import type { Host } from '../host.ts';

/**
 * Says where it listens in the first line of stdout, then serves until SIGINT or SIGTERM, or until the process that
 * started it is gone. Resolves with 0. Throws UsageError when the address can't be listened on or a setting is wrong.
 */
export async function serveUntilStopped(flags: RawOptions, host: Host): Promise<number> {
  const values = readValues('serve', flags, host.env);
  if (values.settings) {
    const { settingsTable } = await import('./settings-table.ts');
    host.stdout.write(settingsTable(host.stdout));
    return 0;
  }
  // Before the line after which others go on, and may stop this process.
  const stopped = new Promise<void>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => resolve());
  });
  const served = await listen(values, flags, host.env);
  host.stdout.write(`listening ${served.url}\n`);
  await stopped;
  await served.close();
  return 0;
}

/** Settings and faults are only loaded when one is given: the plain service should be there at once. */
async function optionsFrom(values: OptionValues, flags: RawOptions, env: Host['env']): Promise<ReferenceOptions> {
  const { port: _port, host: _host, ...given } = values;
  if (Object.values(given).every((value) => value === undefined)) return defaultOptions({ ...env });
  const { readReferenceOptions } = await import('../cli/reference-settings.ts');
  return readReferenceOptions(flags, env);
}

async function listen(values: OptionValues, flags: RawOptions, env: Host['env']): Promise<Served> {
  const { port = 0, host } = values;
  const options = await optionsFrom(values, flags, env);
  if (port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${port}`);
  try {
    return await serve({ ...options, port, ...(host === undefined ? {} : { host }) });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE') throw new UsageError(`--port ${port} is in use; take another, or leave it off`);
    if (code === 'EACCES')
      throw new UsageError(`--port ${port} needs rights that this user lacks; take one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UsageError(`--host ${host} is no address of this machine`);
    }
    throw error;
  }
}
