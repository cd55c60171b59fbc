/**
 * The jobs of one endpoint instance: queue, workers, retention. All that depends on time alone (a queued job's time to
 * live, a finished job's retention) happens on the next access, so an idle endpoint needs no timers and a virtual clock
 * has nothing to jump to.
 */
import { Visitor } from '../client.ts';
import type { Clock } from '../clock.ts';
import { hex, jobId } from '../ids.ts';
import type { HealthCounts } from '../rules.ts';
import { Deadlines } from './deadlines.ts';
import type { Handler } from './handler.ts';
import { changed, type Job, type JobKind, type JobPolicy, newJob } from './job.ts';
import { piecesOf } from './pieces.ts';
import { Queue } from './queue.ts';
import { canMove, isFinal, type JobState } from './states.ts';
import { waitUntil } from './watch.ts';
import { type FailureDetail, outcomeOf, type WorkResult, work } from './worker.ts';

export interface EndpointSettings {
  readonly workersMax: number;
  /** Jobs that run at once; default: one for each worker. */
  readonly jobsAtOnce?: () => number;
  /** Milliseconds a finished job is kept, by how it was submitted. */
  readonly retentionMs: Readonly<Record<JobKind, number>>;
  readonly ttlWhileRunning: 'forget' | 'time-out';
  readonly purgedJobs: 'cancelled' | 'forgotten';
  readonly failureDetail: FailureDetail;
  /** A longer chunk is taken apart, bytes of JSON. */
  readonly streamChunkBytes: number;
}

export interface EndpointEnv {
  readonly clock: Clock;
  readonly random: () => number;
  readonly handler: Handler;
  /** The id of a new job, given a fresh one. */
  readonly named?: (fresh: string) => string;
}

/** One for all, since its origin is never read and a stack costs more than a quick job. */
const OVER = new Error('the job is over');

export class Endpoint {
  readonly #settings: EndpointSettings;
  readonly #env: EndpointEnv;
  /** The jobs that are still known, by id; the oldest first. */
  readonly #known = new Map<string, Job>();
  readonly #queue = { normal: new Queue(), low: new Queue() };
  readonly #running = new Map<Job, Visitor>();
  /** The names of workers that have nothing to do; one is named when it first starts. */
  readonly #idle: string[] = [];
  /** Queued jobs by the end of their time to live, finished ones by the end of their retention. */
  readonly #deadlines = new Deadlines<Job>();
  readonly #totals = { completed: 0, failed: 0 };

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
    const { clock, random, named } = this.#env;
    const fresh = jobId(random, kind);
    const id = named ? named(fresh) : fresh;
    const job = newJob({ id, kind, policy, createdAt: clock.now(), input });
    this.#known.set(job.id, job);
    this.#queueOf(job).add(job);
    this.#deadlines.set(job, job.createdAt + policy.ttlMs);
    this.#pump();
    return job;
  }

  /** The job, unless there is none or it is no longer kept. */
  find(id: string): Job | undefined {
    this.#settle();
    return this.#known.get(id);
  }

  ids(): Iterable<string> {
    this.#settle();
    return this.#known.keys();
  }

  /** How many jobs are known, and at most `limit` of them after the `offset` newest ones, newest first. */
  list(offset: number, limit: number): { readonly total: number; readonly jobs: readonly Job[] } {
    this.#settle();
    const total = this.#known.size;
    const from = Math.max(0, total - offset - limit);
    return { total, jobs: [...this.#known.values()].slice(from, Math.max(0, total - offset)).reverse() };
  }

  /** Keeps a finished job no longer than `ms` after it finished; never longer than it would have been. */
  shorten(job: Job, ms: number): void {
    if (job.finishedAt !== null && job.finishedAt + ms < job.due) this.#deadlines.set(job, job.finishedAt + ms);
  }

  /** Stops a queued or running job; a finished one stays as it is. */
  cancel(job: Job): void {
    this.#settle();
    if (!isFinal(job.state)) this.#finish(job, 'CANCELLED');
  }

  /** Takes every unfinished job whose state `takes` accepts out; returns how many. */
  purge(takes: (state: JobState) => boolean): number {
    this.#settle();
    const { normal, low } = this.#queue;
    // The queued ones first: otherwise a freed worker would start a job that is about to be purged.
    const all = [...normal.waiting(), ...low.waiting(), ...this.#running.keys()];
    const taken = all.filter((job) => takes(job.state));
    let removed = 0;
    for (const job of taken) {
      // Time has passed, and may have ended one.
      if (isFinal(job.state)) continue;
      removed += 1;
      this.#finish(job, 'CANCELLED');
      if (this.#settings.purgedJobs === 'forgotten') this.#forget(job);
    }
    return removed;
  }

  /** Truthful counts: totals since the start for finished jobs, the present for the rest. */
  health(): HealthCounts {
    const inQueue = this.queued();
    const running = this.#running.size;
    const idle = this.#settings.workersMax - running;
    const { completed, failed } = this.#totals;
    return {
      jobs: { completed, failed, inProgress: running, inQueue, retried: 0 },
      workers: { idle, initializing: 0, ready: idle, running, throttled: 0, unhealthy: 0 },
    };
  }

  /** Waits until `done` holds or `ms` (Infinity for no end) have passed; a queued job times out while it is watched. */
  async watch(job: Job, done: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#env;
    const end = clock.now() + ms;
    for (let now = clock.now(); !done() && now < end; now = clock.now()) {
      // Only time ends a queued job by itself; a running one is ended by its worker.
      await waitUntil(job, done, Math.min(end, job.due) - now, clock, signal);
      this.#settle();
    }
  }

  /** Stops all work, so that nothing keeps the process alive. */
  close(): void {
    this.purge(() => true);
  }

  #queueOf(job: Job): Queue {
    return job.policy.lowPriority ? this.#queue.low : this.#queue.normal;
  }

  /** Gives free workers the next jobs; what is past its time to live is not started any more. */
  #pump(): void {
    this.#settle();
    const { workersMax, jobsAtOnce = () => workersMax } = this.#settings;
    while (this.#running.size < jobsAtOnce()) {
      const job = this.#queue.normal.first ?? this.#queue.low.first;
      if (!job) return;
      this.#start(job);
    }
  }

  #start(job: Job): void {
    const { clock, handler, random } = this.#env;
    this.#move(job, 'IN_PROGRESS');
    this.#deadlines.remove(job);
    job.startedAt = clock.now();
    job.workerId = this.#idle.pop() ?? hex(random, 12);
    const stop = new Visitor();
    this.#running.set(job, stop);
    const onChunk = (chunk: unknown): void => {
      job.chunks ??= [];
      job.chunks.push(...piecesOf(chunk, this.#settings.streamChunkBytes));
      changed(job);
    };
    void work(job, handler, clock, stop, onChunk).then((result) => this.#end(job, result));
  }

  #end(job: Job, result: WorkResult): void {
    if (isFinal(job.state)) return;
    // It ended by itself: it has no sleep to abort, and an abort would cost more than a quick job does.
    this.#running.delete(job);
    const { state, error } = outcomeOf(result, job, this.#settings.failureDetail);
    if (result.kind === 'completed') job.output = result.output;
    job.error = error;
    this.#finish(job, state);
    if (result.kind === 'ttl-expired' && this.#settings.ttlWhileRunning === 'forget') this.#forget(job);
  }

  #finish(job: Job, state: JobState): void {
    this.#conclude(job, state, this.#env.clock.now());
    this.#pump();
  }

  /** The one way into a final state: leaves queue or worker, wakes those that wait. */
  #conclude(job: Job, state: JobState, at: number): void {
    const stop = this.#running.get(job);
    this.#running.delete(job);
    if (job.workerId !== null) this.#idle.push(job.workerId);
    this.#move(job, state);
    job.finishedAt = at;
    job.input = undefined;
    if (state === 'COMPLETED') this.#totals.completed += 1;
    else if (state !== 'CANCELLED') this.#totals.failed += 1;
    this.#deadlines.set(job, at + this.#settings.retentionMs[job.kind]);
    stop?.leave(OVER);
    changed(job);
  }

  #move(job: Job, to: JobState): void {
    const from = job.state;
    if (!canMove(from, to)) throw new Error(`a job cannot go from ${from} to ${to}`);
    job.state = to;
    if (from === 'IN_QUEUE') this.#queueOf(job).left();
  }

  #forget(job: Job): void {
    this.#known.delete(job.id);
    this.#deadlines.remove(job);
  }

  /** Everything that time alone has done by now, in the order and as of the moments it happened. */
  #settle(): void {
    const now = this.#env.clock.now();
    for (let job = this.#deadlines.first; job && job.due <= now; job = this.#deadlines.first) {
      if (isFinal(job.state)) this.#forget(job);
      else {
        job.error = 'job timed out: ttl reached before a worker was free';
        this.#conclude(job, 'TIMED_OUT', job.due);
      }
    }
  }
}
