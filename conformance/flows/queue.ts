/**
 * Jobs that certainly run and jobs that certainly wait: by an endpoint without workers, or by keeping all of them
 * busy.
 */
import type { EndpointConfig } from '../../schemas/target.ts';
import type { CheckContext } from '../context.ts';
import type { JobsClient } from '../target/jobs.ts';
import { describe } from '../target/reply.ts';
import { poll, type Submitted, stateIs, submit, submitSlow } from './submit.ts';

/**
 * Keeping all workers busy is for endpoints nobody else uses; more than this are not worth it just to see a job wait.
 */
const MOST_WORKERS = 8;
const HOLD_MS = 60_000;
const SETTLE_MS = 300;
/** A job that ends so soon by itself is left to, since cancel has a small budget; a check that was stopped leaves none. */
const BRIEF_MS = 4000;

/** A job that is seen running and goes on for `delayMs`. */
export async function runningJob(t: CheckContext, delayMs: number, jobs: JobsClient = t.jobs): Promise<Submitted> {
  t.needWorkers(jobs.instId);
  const job = await submit(t, { delay_ms: delayMs, echo: t.word() }, jobs);
  t.defer(async (client) => {
    if (delayMs > BRIEF_MS || t.signal.aborted) await client.at(jobs.instId).cancel(job.id);
  });
  const seen = await poll(t, job, ({ state }) => state !== 'queued' && state !== 'unknown');
  t.ground(
    `a job of ${delayMs} ms is seen running`,
    'a state that means running',
    describe(seen.reply),
    seen.state === 'running',
    'deploy a handler that waits input.delay_ms',
  );
  return job;
}

export interface Queue {
  readonly jobs: JobsClient;
  /** The jobs that keep its workers busy. */
  readonly held: readonly Submitted[];
  readonly queued: readonly Submitted[];
}

export interface QueueWish {
  readonly count: number;
  /** Only an endpoint nobody else uses. */
  readonly dedicated?: boolean;
  /** Rather one whose workers are busy than one without workers. */
  readonly busy?: boolean;
  readonly holdMs?: number;
}

/** The endpoint for jobs that wait. */
export function queueEndpoint(t: CheckContext, { dedicated = false, busy = false }: QueueWish): EndpointConfig {
  const endpoints = t.target.config.endpoints
    .filter((one) => one.dedicated || (!dedicated && one.workersMax === 0))
    .flatMap((one) =>
      one.workersMax === null || one.workersMax > MOST_WORKERS ? [] : [{ ...one, workers: one.workersMax }],
    )
    .sort((a, b) => a.workers - b.workers);
  const [fewest] = endpoints;
  const chosen = (busy ? endpoints.find((one) => one.workers > 0) : undefined) ?? fewest;
  return (
    chosen ??
    t.notObservable(
      `an endpoint without other users and with at most ${MOST_WORKERS} workers (--dedicated, --workers-max)`,
    )
  );
}

/** Keeps all workers of an endpoint busy, with one job each. */
async function holdWorkers(t: CheckContext, { workersMax }: EndpointConfig, jobs: JobsClient, holdMs = HOLD_MS) {
  const held: Submitted[] = [];
  while (held.length < (workersMax ?? 0)) held.push(await runningJob(t, holdMs, jobs));
  return held;
}

/** Ground: no job runs beside others that keep all workers busy. */
async function requireWithin(t: CheckContext, endpoint: EndpointConfig, held: readonly Submitted[]): Promise<void> {
  const now = await Promise.all(held.map((job) => poll(t, job, () => true)));
  if (held.length === 0 || !now.every(stateIs('running'))) return;
  t.inconclusive(
    `${held.length + 1} jobs ran at once on ${endpoint.instId}, which has ${held.length} workers by --workers-max`,
    'see run.workers-max',
  );
}

/** What became of one job more than the endpoint has workers, and of those that keep them busy, at the same time. */
export async function oneJobMore(t: CheckContext) {
  const chosen = queueEndpoint(t, { count: 1, dedicated: true, busy: true });
  const jobs = t.jobs.at(chosen.instId);
  const busy = await holdWorkers(t, chosen, jobs);
  if (busy.length === 0) t.notObservable('an endpoint with workers and without other users');
  const more = await submitSlow(t, { echo: t.word() }, jobs);
  await t.sleep(SETTLE_MS);
  const seen = await poll(t, more, () => true);
  const after = await Promise.all(busy.map((job) => poll(t, job, () => true)));
  t.ground(
    `${busy.length} jobs that keep all workers busy`,
    'running before and after the status of one more is read',
    after.map(({ reply }) => describe(reply)).join('; '),
    after.every(stateIs('running')),
    'deploy a handler that waits input.delay_ms',
  );
  return { workers: busy.length, seen };
}

/**
 * Jobs that wait in a queue and will not be picked up while the check lasts.
 *
 * @throws NotObservable where no endpoint is known to have no workers or few enough to keep busy.
 */
export async function fillQueue(t: CheckContext, wish: QueueWish): Promise<Queue> {
  const chosen = queueEndpoint(t, wish);
  const jobs = t.jobs.at(chosen.instId);
  const held = await holdWorkers(t, chosen, jobs, wish.holdMs);
  const queued: Submitted[] = [];
  while (queued.length < wish.count) queued.push(await submitSlow(t, { echo: t.word() }, jobs));
  await t.sleep(SETTLE_MS);
  for (const job of queued) {
    const seen = await poll(t, job, () => true);
    if (stateIs('running', 'completed')(seen)) await requireWithin(t, chosen, held);
    t.ground(
      'a job is seen waiting in the queue',
      'a state that means queued',
      describe(seen.reply),
      stateIs('queued')(seen),
      'set --workers-max to the value of the endpoint, and keep other clients off it',
    );
  }
  return { jobs, held, queued };
}
