/** All kinds of probes, in the order in which their questions are planned. */
import type { ProbeParameters } from '../probe.ts';
import { addresses } from './addresses/index.ts';
import { concurrency } from './concurrency/index.ts';
import { inferencePayload } from './inference-payload/index.ts';
import type { Kind } from './kind.ts';
import { payload } from './payload/index.ts';
import { queue } from './queue/index.ts';
import { rate } from './rate/index.ts';
import { refusedJob } from './refused-job/index.ts';
import { scope } from './scope/index.ts';
import { streamTiming } from './stream-timing/index.ts';
import { unlimited } from './unlimited/index.ts';

type Name = ProbeParameters['kind'];
type ParametersOf<N extends Name> = Extract<ProbeParameters, { readonly kind: N }>;

export const kinds: { readonly [N in Name]: Kind<ParametersOf<N>> } = {
  concurrency,
  addresses,
  queue,
  payload,
  'refused-job': refusedJob,
  'inference-payload': inferencePayload,
  'stream-timing': streamTiming,
  scope,
  unlimited,
  rate,
};

export const kindOf = ({ kind }: ProbeParameters): Kind<ProbeParameters> => kinds[kind] as Kind<ProbeParameters>;

/** Whether several runners can send it together. */
export const canBeParted = (parameters: ProbeParameters): boolean => kindOf(parameters).togetherFromMs !== undefined;
