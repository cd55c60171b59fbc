/** An endpoint on a virtual clock that begins at 0, for the tests of jobs. */
import { seeded } from '../../../schemas/seeded.ts';
import { type VirtualClock, virtualClock } from '../../clock.ts';
import { Endpoint, type EndpointSettings } from '../endpoint.ts';
import { workloadHandler } from '../handler.ts';
import type { Job, JobPolicy } from '../job.ts';
import { newJob } from '../job.ts';
import { isFinal } from '../states.ts';

export const MINUTE = 60_000;
export const DAY = 1440 * MINUTE;
export const POLICY: JobPolicy = { executionTimeoutMs: 10 * MINUTE, ttlMs: DAY, lowPriority: false };
/** A client that stays. */
export const { signal: never } = new AbortController();

export const settings: EndpointSettings = {
  workersMax: 1,
  retentionMs: { run: 30 * MINUTE, runsync: MINUTE },
  ttlWhileRunning: 'forget',
  purgedJobs: 'cancelled',
  failureDetail: 'message',
  streamChunkBytes: 1_000_000,
};

export function opened(others: Partial<EndpointSettings> = {}): { endpoint: Endpoint; clock: VirtualClock } {
  const clock = virtualClock({ startMs: 0 });
  const env = { clock, random: seeded(7), handler: workloadHandler };
  return { endpoint: new Endpoint({ ...settings, ...others }, env), clock };
}

export const add = (endpoint: Endpoint, input: unknown, policy: Partial<JobPolicy> = {}): Job =>
  endpoint.submit('run', input, { ...POLICY, ...policy });

export const ended = (endpoint: Endpoint, job: Job): Promise<void> =>
  endpoint.watch(job, () => isFinal(job.state), DAY, never);

/** Queued since the beginning, on no endpoint. */
export const loose = (number: number, input: unknown = null, policy: Partial<JobPolicy> = {}): Job =>
  newJob({ id: `job-${number}`, kind: 'run', policy: { ...POLICY, ...policy }, createdAt: 0, input });
