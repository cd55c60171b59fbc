/** A payload probe at a tenth of the documented size, for the tests of its senders. */
import type { PayloadParameters } from '../../../../probe.ts';

export const payloadParameters: PayloadParameters = {
  kind: 'payload',
  limitId: 'run.payload',
  instId: 'inst-1',
  operation: 'run',
  acceptBytes: 1_000_000,
  refuseBytes: 1_048_577,
  floorBytes: 1000,
  capBytes: 4_000_000,
  readable: true,
  followsUp: true,
};
