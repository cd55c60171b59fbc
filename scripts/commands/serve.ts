/** `proofload serve`: the reference on a socket, with the limiter and the faults that were asked for, until it is stopped. */
import { applyMutants, mutants } from '../../reference/mutants.ts';
import { defaultOptions, limiterKinds, type ReferenceOptions } from '../../reference/options.ts';
import { type Served, serve } from '../../reference/server.ts';
import { limits } from '../../schemas/limits.ts';
import { UsageError } from '../../schemas/target.ts';
import { suggestion } from '../cli/suggest.ts';
import type { OptionValues } from '../cli/values.ts';
import type { Host } from '../host.ts';

/** Options of the command line -> those of the reference. Throws UsageError for a mutant that isn't in the table. */
export function referenceOptions(values: OptionValues, env: Host['env']): ReferenceOptions {
  const base = defaultOptions({ ...env });
  const [first, ...others] = base.instances;
  const workersMax = values['workers-max'] ?? first?.workersMax;
  const lifted = limits.filter((limit) => limit.kind !== 'retention').map((limit) => [limit.id, 'off'] as const);
  const names = values.mutant ?? [];
  requireKnown(names);
  return applyMutants(
    {
      ...base,
      instances: first && workersMax !== undefined ? [{ ...first, workersMax }, ...others] : base.instances,
      limiter: limiterKinds.find((kind) => kind === values.limiter) ?? base.limiter,
      limits: values.limits === false ? { ...base.limits, ...Object.fromEntries(lifted) } : base.limits,
      latencyMs: values.latency ?? base.latencyMs,
    },
    names,
  );
}

function requireKnown(names: readonly string[]): void {
  const known = mutants.map((mutant) => mutant.name);
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const hint = suggestion(stranger, known) || `; there are: ${known.join(', ')}`;
  throw new UsageError(`--mutant '${stranger}' is not known${hint}`);
}

/**
 * Says where it listens in the first line of stdout, then serves until SIGINT or SIGTERM, or until the process that
 * started it is gone. Resolves with 0. Throws UsageError when the address can't be listened on.
 */
export async function serveUntilStopped(values: OptionValues, host: Host): Promise<number> {
  // Before the line that tells others that they may go on, stopping us included.
  const stopped = new Promise<void>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => resolve());
  });
  const served = await listen(values, host.env);
  host.stdout.write(`listening ${served.url}\n`);
  await stopped;
  await served.close();
  return 0;
}

async function listen(values: OptionValues, env: Host['env']): Promise<Served> {
  const { port = 0, host } = values;
  const options = referenceOptions(values, env);
  if (port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${port}`);
  try {
    return await serve({ ...options, port, ...(host === undefined ? {} : { host }) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EADDRINUSE') throw new UsageError(`--port ${port} is in use; take another, or leave it off`);
    if (code === 'EACCES')
      throw new UsageError(`--port ${port} needs rights that this user lacks; take one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UsageError(`--host ${host} is no address of this machine`);
    }
    throw error;
  }
}
