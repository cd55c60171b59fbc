/**
 * The jobs of one endpoint instance: queue, workers, retention. Whatever depends on time alone (a queued job's time to
 * live, a finished job's retention) is settled when somebody looks, so an idle endpoint needs no timers and a virtual
 * clock has nothing to jump to.
 */
import type { Clock } from '../clock.ts';
import { hex, jobId } from '../ids.ts';
import type { HealthCounts } from '../rules.ts';
import type { Handler } from './handler.ts';
import type { Job, JobKind, JobPolicy } from './job.ts';
import { canMove, isFinal, type JobState } from './states.ts';
import { waitUntil } from './watch.ts';
import { type WorkResult, work } from './worker.ts';

export interface EndpointSettings {
  readonly workersMax: number;
  /** Milliseconds a finished job is kept, by how it was submitted. */
  readonly retentionMs: Readonly<Record<JobKind, number>>;
  readonly ttlWhileRunning: 'forget' | 'time-out';
  readonly purgedJobs: 'cancelled' | 'forgotten';
}

export interface EndpointEnv {
  readonly clock: Clock;
  readonly random: () => number;
  readonly handler: Handler;
}

/** The final state a worker's result leads to, and the error its record shows. */
function outcomeOf(result: WorkResult): { state: JobState; error: string | null } {
  switch (result.kind) {
    case 'completed':
      return { state: 'COMPLETED', error: null };
    case 'failed':
      return { state: 'FAILED', error: result.error };
    case 'execution-timeout':
      return { state: 'TIMED_OUT', error: 'job timed out: executionTimeout reached' };
    case 'ttl-expired':
      return { state: 'TIMED_OUT', error: 'job timed out: ttl reached' };
    case 'stopped':
      return { state: 'CANCELLED', error: null };
  }
}

export class Endpoint {
  readonly #settings: EndpointSettings;
  readonly #env: EndpointEnv;
  readonly #jobs = new Map<string, Job>();
  readonly #queue = { normal: new Set<Job>(), low: new Set<Job>() };
  readonly #running = new Map<Job, AbortController>();
  /** Finished jobs in the order they finished, by how they were submitted, so that expiry looks at the heads only. */
  readonly #finished: Record<JobKind, Set<Job>> = { run: new Set(), runsync: new Set() };
  readonly #totals = { completed: 0, failed: 0 };
  #nextTtl = Number.POSITIVE_INFINITY;

  constructor(settings: EndpointSettings, env: EndpointEnv) {
    this.#settings = settings;
    this.#env = env;
  }

  get workersMax(): number {
    return this.#settings.workersMax;
  }

  /** Jobs waiting for a worker. */
  queued(): number {
    this.#settle();
    return this.#queue.normal.size + this.#queue.low.size;
  }

  /** Puts a job into the queue; a free worker takes it at once. */
  submit(kind: JobKind, input: unknown, policy: JobPolicy): Job {
    this.#settle();
    const job: Job = {
      id: jobId(this.#env.random, kind),
      kind,
      policy,
      createdAt: this.#env.clock.now(),
      input,
      state: 'IN_QUEUE',
      startedAt: null,
      finishedAt: null,
      workerId: null,
      output: undefined,
      error: null,
      chunks: [],
      delivered: 0,
      watchers: new Set(),
    };
    this.#jobs.set(job.id, job);
    this.#queueOf(job).add(job);
    this.#nextTtl = Math.min(this.#nextTtl, job.createdAt + policy.ttlMs);
    this.#pump();
    return job;
  }

  /** The job, unless there is none or it is no longer kept. */
  find(id: string): Job | undefined {
    this.#settle();
    const job = this.#jobs.get(id);
    // A job that was timed out in the past stands further back among the finished than its time says.
    if (job && this.#isPast(job, this.#env.clock.now())) this.#forget(job);
    return this.#jobs.get(id);
  }

  ids(): Iterable<string> {
    return this.#jobs.keys();
  }

  /** Every known job, newest first. */
  list(): Job[] {
    this.#settle();
    return [...this.#jobs.values()].reverse();
  }

  /** Stops a queued or running job; a finished one stays as it is. */
  cancel(job: Job): void {
    if (!isFinal(job.state)) this.#finish(job, 'CANCELLED', this.#env.clock.now());
  }

  /** Takes every unfinished job whose state `takes` accepts out; returns how many. */
  purge(takes: (state: JobState) => boolean): number {
    this.#settle();
    const taken = [...this.#queue.normal, ...this.#queue.low, ...this.#running.keys()].filter((job) =>
      takes(job.state),
    );
    // The queued ones first: otherwise a freed worker would start a job that is about to be purged.
    for (const job of taken) {
      if (isFinal(job.state)) continue;
      this.#finish(job, 'CANCELLED', this.#env.clock.now());
      if (this.#settings.purgedJobs === 'forgotten') this.#forget(job);
    }
    return taken.length;
  }

  /** Truthful counts: totals since the start for finished jobs, the present for the rest. */
  health(): HealthCounts {
    const inQueue = this.queued();
    const running = this.#running.size;
    const idle = this.#settings.workersMax - running;
    return {
      jobs: { ...this.#totals, inProgress: running, inQueue, retried: 0 },
      workers: { idle, initializing: 0, ready: idle, running, throttled: 0, unhealthy: 0 },
    };
  }

  /** Waits until `done` holds, the job's time to live ends, or `ms` have passed; then settles what is due. */
  async watch(job: Job, done: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#env;
    const ttlLeft = job.createdAt + job.policy.ttlMs - clock.now();
    await waitUntil(job, done, Math.min(ms, Math.max(0, ttlLeft)), clock, signal);
    this.#settle();
  }

  /** Stops all work, so that nothing keeps the process alive. */
  close(): void {
    for (const job of [...this.#jobs.values()]) if (!isFinal(job.state)) this.cancel(job);
  }

  #queueOf(job: Job): Set<Job> {
    return job.policy.lowPriority ? this.#queue.low : this.#queue.normal;
  }

  /** Gives free workers the next jobs; what is past its time to live is not started any more. */
  #pump(): void {
    this.#expireQueued();
    while (this.#running.size < this.#settings.workersMax) {
      const [job] = this.#queue.normal.size > 0 ? this.#queue.normal : this.#queue.low;
      if (!job) return;
      this.#start(job);
    }
  }

  #start(job: Job): void {
    const { clock, handler, random } = this.#env;
    this.#queueOf(job).delete(job);
    this.#move(job, 'IN_PROGRESS');
    job.startedAt = clock.now();
    job.workerId = hex(random, 12);
    const stop = new AbortController();
    this.#running.set(job, stop);
    const onChunk = (chunk: unknown): void => {
      job.chunks.push(chunk);
      for (const watcher of [...job.watchers]) watcher();
    };
    void work(job, handler, clock, stop.signal, onChunk).then((result) => this.#end(job, result));
  }

  #end(job: Job, result: WorkResult): void {
    if (isFinal(job.state)) return;
    const { state, error } = outcomeOf(result);
    if (result.kind === 'completed') job.output = result.output;
    job.error = error;
    this.#finish(job, state, this.#env.clock.now());
    if (result.kind === 'ttl-expired' && this.#settings.ttlWhileRunning === 'forget') this.#forget(job);
  }

  #finish(job: Job, state: JobState, at: number): void {
    this.#conclude(job, state, at);
    this.#pump();
  }

  /** The one way into a final state: leaves queue or worker, tells who waits. */
  #conclude(job: Job, state: JobState, at: number): void {
    this.#queueOf(job).delete(job);
    const stop = this.#running.get(job);
    this.#running.delete(job);
    this.#move(job, state);
    job.finishedAt = at;
    job.input = undefined;
    if (state === 'COMPLETED') this.#totals.completed += 1;
    else if (state !== 'CANCELLED') this.#totals.failed += 1;
    this.#finished[job.kind].add(job);
    stop?.abort(new Error('the job is over'));
    for (const watcher of [...job.watchers]) watcher();
  }

  #move(job: Job, to: JobState): void {
    if (!canMove(job.state, to)) throw new Error(`a job cannot go from ${job.state} to ${to}`);
    job.state = to;
  }

  #forget(job: Job): void {
    this.#jobs.delete(job.id);
    this.#finished[job.kind].delete(job);
  }

  /** Whether a job's retention is over. */
  #isPast(job: Job, now: number): boolean {
    return job.finishedAt !== null && now - job.finishedAt >= this.#settings.retentionMs[job.kind];
  }

  #settle(): void {
    this.#expireQueued();
    const now = this.#env.clock.now();
    for (const kind of ['run', 'runsync'] as const) {
      for (const job of this.#finished[kind]) {
        if (!this.#isPast(job, now)) break;
        this.#forget(job);
      }
    }
  }

  /** Gives up queued jobs whose time to live is over, as of the moment it ended. */
  #expireQueued(): void {
    const now = this.#env.clock.now();
    if (now < this.#nextTtl) return;
    this.#nextTtl = Number.POSITIVE_INFINITY;
    for (const job of [...this.#queue.normal, ...this.#queue.low]) {
      const end = job.createdAt + job.policy.ttlMs;
      if (end <= now) {
        job.error = 'job timed out: ttl reached before a worker was free';
        this.#conclude(job, 'TIMED_OUT', end);
      } else this.#nextTtl = Math.min(this.#nextTtl, end);
    }
  }
}
