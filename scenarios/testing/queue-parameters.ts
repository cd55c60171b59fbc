/** A queue probe on one worker, for the tests of what is made of its ledgers. */
import type { QueueParameters } from '../probe.ts';

export const queueParameters: QueueParameters = {
  kind: 'queue',
  instId: 'inst-a',
  workersMax: 1,
  border: 500,
  runsyncAt: 52,
  refusal: 429,
  periodMs: 1,
  perWindow: 900,
  idleMs: 10_500,
  cancelPeriodMs: 1,
  finisherMs: 2000,
  pollsMost: 800,
  pollsTogether: 20,
  together: 20,
  slowJobMs: 1,
};
