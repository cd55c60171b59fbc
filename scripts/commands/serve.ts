/** `proofload serve`: the reference on a socket, with the faults and limiters that were asked for, until it is stopped. */
import { once } from 'node:events';
import { mutants } from '../../reference/mutants.ts';
import { defaultOptions, type ReferenceOptions } from '../../reference/options.ts';
import { serve } from '../../reference/server.ts';
import { limits } from '../../schemas/limits.ts';
import { UsageError } from '../../schemas/target.ts';
import { suggestion } from '../cli/suggest.ts';
import type { OptionValues } from '../cli/values.ts';
import type { Host } from '../host.ts';

/** Options of the command line -> those of the reference. Throws UsageError for a mutant that isn't in the table. */
export function referenceOptions(values: OptionValues, env: Host['env']): ReferenceOptions {
  const base = defaultOptions({ ...env });
  const workersMax = values['workers-max'];
  const instances = base.instances.map((one, index) =>
    index === 0 && workersMax !== undefined ? { ...one, workersMax } : one,
  );
  const lifted = limits.filter((limit) => limit.kind !== 'retention').map((limit) => [limit.id, 'off'] as const);
  return withMutants(values.mutant ?? [], {
    ...base,
    instances,
    limiter: values.limiter === undefined ? base.limiter : limiterOf(values.limiter),
    limits: values.limits === false ? { ...base.limits, ...Object.fromEntries(lifted) } : base.limits,
    latencyMs: values.latency ?? base.latencyMs,
  });
}
