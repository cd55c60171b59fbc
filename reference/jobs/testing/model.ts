/**
 * The state of an endpoint, computed the plain way: every job ever taken in one list, read from the start for every
 * question. It shares nothing with the endpoint but the names of the states.
 */

export interface Plan {
  readonly kind: 'run' | 'runsync';
  readonly delayMs: number;
  readonly chunks: number;
  readonly chunkDelayMs: number;
  readonly fails: boolean;
  readonly executionMs: number;
  readonly ttlMs: number;
  readonly low: boolean;
}

export interface Expected extends Plan {
  readonly id: string;
  readonly createdAt: number;
  state: string;
  startedAt: number | null;
  finishedAt: number | null;
  /** Chunks handed out. */
  drained: number;
  /** How long it is kept once it is over; 0 for one that is forgotten. */
  keptMs: number;
}

export interface ModelSettings {
  readonly workers: number;
  readonly retentionMs: Readonly<Record<Plan['kind'], number>>;
  readonly forgetsExpired: boolean;
  readonly forgetsPurged: boolean;
}

const OPEN = ['IN_QUEUE', 'IN_PROGRESS'];

/** When a started job ends by itself or by a deadline, and how. */
function endOf(job: Expected): { at: number; state: string; expired: boolean } {
  const start = job.startedAt ?? 0;
  const worksMs = job.delayMs + job.chunks * job.chunkDelayMs;
  const execution = start + job.executionMs;
  const ttl = job.createdAt + job.ttlMs;
  const deadline = Math.min(execution, ttl);
  if (worksMs > 0 && start + worksMs >= deadline) return { at: deadline, state: 'TIMED_OUT', expired: ttl < execution };
  return { at: start + worksMs, state: job.fails ? 'FAILED' : 'COMPLETED', expired: false };
}

export class Model {
  readonly jobs: Expected[] = [];
  readonly #settings: ModelSettings;
  now = 0;

  constructor(settings: ModelSettings) {
    this.#settings = settings;
  }

  count(...states: string[]): number {
    return this.#in(...states).length;
  }

  submit(id: string, plan: Plan): void {
    const keptMs = this.#settings.retentionMs[plan.kind];
    const fresh = { state: 'IN_QUEUE', startedAt: null, finishedAt: null, drained: 0, keptMs };
    this.jobs.push({ ...plan, id, createdAt: this.now, ...fresh });
    this.#happen();
  }

  cancel(job: Expected): void {
    if (OPEN.includes(job.state)) this.#end(job, 'CANCELLED', this.now);
    this.#happen();
  }

  purge(): number {
    const queued = this.#in('IN_QUEUE');
    for (const job of queued) {
      this.#end(job, 'CANCELLED', this.now);
      if (this.#settings.forgetsPurged) job.keptMs = 0;
    }
    return queued.length;
  }

  shorten(job: Expected, ms: number): void {
    if (job.finishedAt !== null) job.keptMs = Math.min(job.keptMs, ms);
  }

  /** The chunks a stream is given now, by their numbers. */
  drain(job: Expected): number[] {
    const there = this.#chunksOf(job);
    const fresh = there.slice(job.drained);
    job.drained = there.length;
    return fresh;
  }

  /** Everything that is still to be seen, newest first. */
  known(): Expected[] {
    return this.jobs.filter((job) => job.finishedAt === null || this.now < job.finishedAt + job.keptMs).reverse();
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const ends = this.#in('IN_PROGRESS').map((job) => endOf(job).at);
      const expiries = this.#in('IN_QUEUE').map((job) => job.createdAt + job.ttlMs);
      const next = Math.min(...ends, ...expiries);
      if (next > until) break;
      this.now = next;
      this.#happen();
    }
    this.now = until;
  }

  /** All that is due at this very moment, and what follows from it at the same moment. */
  #happen(): void {
    for (let due: Expected[]; ; ) {
      due = this.#in('IN_PROGRESS').filter((job) => endOf(job).at <= this.now);
      for (const job of due) {
        const { state, expired } = endOf(job);
        this.#end(job, state, this.now);
        if (expired && this.#settings.forgetsExpired) job.keptMs = 0;
      }
      for (const job of this.#in('IN_QUEUE').filter((one) => one.createdAt + one.ttlMs <= this.now)) {
        this.#end(job, 'TIMED_OUT', this.now);
      }
      const free = this.#settings.workers - this.count('IN_PROGRESS');
      const queued = this.#in('IN_QUEUE');
      const inTurn = [...queued.filter((job) => !job.low), ...queued.filter((job) => job.low)].slice(0, free);
      for (const job of inTurn) Object.assign(job, { state: 'IN_PROGRESS', startedAt: this.now });
      if (due.length + inTurn.length === 0) return;
    }
  }

  #in(...states: string[]): Expected[] {
    return this.jobs.filter((job) => states.includes(job.state));
  }

  #end(job: Expected, state: string, at: number): void {
    Object.assign(job, { state, finishedAt: at });
  }

  #chunksOf(job: Expected): number[] {
    const { startedAt, finishedAt } = job;
    if (startedAt === null) return [];
    const deadline = Math.min(startedAt + job.executionMs, job.createdAt + job.ttlMs);
    return Array.from({ length: job.chunks }, (_, number) => number).filter((number) => {
      const at = startedAt + job.delayMs + (number + 1) * job.chunkDelayMs;
      return at <= (finishedAt ?? this.now) && at < deadline;
    });
  }
}
