/** The reference in this very process: no socket, and a clock that jumps over every wait. */
import type { Dispatcher } from 'undici';
import { virtualClock } from '../../reference/clock.ts';
import { InProcessDispatcher } from '../../reference/dispatcher.ts';
import { defaultOptions, type ReferenceOptions } from '../../reference/options.ts';
import { createService } from '../../reference/service.ts';
import { seeded } from '../../schemas/seeded.ts';
import { type Credentials, type EndpointConfig, NO_KEYS, type TargetConfig } from '../../schemas/target.ts';
import type { Clock } from './clock.ts';
import { toEnvironment, withLocalDefaults } from './credentials.ts';
import { Target } from './target.ts';

const ADDRESS = 'http://reference.local';
const SEED = 20_240_611;

export interface ReferenceInput {
  readonly config?: TargetConfig;
  readonly credentials?: Credentials;
  /** Settings that differ from the defaults, such as a planted fault. */
  readonly options?: Partial<ReferenceOptions>;
  readonly runId?: string;
  /** Where the reference's chance begins. */
  readonly seed?: number;
}

/** A fresh reference and the target that leads to it. */
export function openReference(input: ReferenceInput = {}): Target {
  const credentials = withLocalDefaults(input.credentials ?? NO_KEYS);
  const options: ReferenceOptions = { ...defaultOptions(toEnvironment(credentials)), ...input.options };
  const clock = virtualClock();
  const service = createService(options, { clock, random: seeded(input.seed ?? SEED) });
  const endpoints: EndpointConfig[] = options.instances.map((one) => ({ ...one, dedicated: true }));
  return openDispatcher(new InProcessDispatcher(service), clock, {
    credentials,
    ...(input.runId === undefined ? {} : { runId: input.runId }),
    config: {
      kind: 'reference',
      baseUrl: ADDRESS,
      jobBaseUrl: ADDRESS,
      endpoints: input.config && input.config.endpoints.length > 0 ? input.config.endpoints : endpoints,
      model: input.config?.model ?? options.models[0]?.id ?? null,
      ...(input.config?.workloads ? { workloads: input.config.workloads } : {}),
    },
  });
}

/** Anything that a dispatcher leads to, on a virtual clock; the tests put broken services here. */
export function openDispatcher(
  dispatcher: Dispatcher,
  clock: Clock,
  known: { readonly config: TargetConfig; readonly credentials: Credentials; readonly runId?: string },
): Target {
  return new Target({ ...known, dispatcher, clock, virtual: true });
}
