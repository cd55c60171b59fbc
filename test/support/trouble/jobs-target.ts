/**
 * A jobs service in a world without time: a queue, some workers, a purge, bodies of limited size, and any fault of
 * these that a test sets. It knows nothing of proofload but the input of a job.
 */
import type { TargetAnswer, TargetRequest, VirtualTarget } from './virtual-world.ts';

export interface JobsService {
  readonly workersMax: number;
  /** Whether a submission is refused that finds so many in the queue. Default: none is. */
  readonly refuses?: (queued: number) => boolean;
  /** The status of that. Default: 429. */
  readonly refusal?: number;
  /** Whether health has the number of waiting jobs. Default: it does. */
  readonly healthReports?: boolean;
  /** What a purged job is afterwards. Default: unknown. */
  readonly purged?: 'unknown' | 'CANCELLED' | 'left';
  /** Whether a purge takes the running jobs with it, and what they are then. Default: it does not. */
  readonly purgesRunning?: 'unknown' | 'CANCELLED';
  /** What a restart does to jobs: all are forgotten, or those that ran have failed, or begin again. Default: forgotten. */
  readonly restarts?: 'forgets' | 'fails' | 'requeues';
  /** Whether a cancelled job is known afterwards. Default: it is. */
  readonly forgetsCancelled?: boolean;
  /** Largest body that is taken, and what a larger one is answered; 0 is a cut connection. Default: every one is. */
  readonly mostBytes?: number;
  readonly tooLarge?: number;
  /** Bodies beyond this many bytes are taken and their jobs lost. */
  readonly losesBeyond?: number;
}

interface Job {
  state: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  readonly takesMs: number;
  readonly output: unknown;
  endsMs: number;
}

const TOO_MANY = 429;

export class JobsTarget implements VirtualTarget {
  readonly #service: JobsService;
  readonly #jobs = new Map<string, Job>();
  #count = 0;
  #workedMs = 0;

  constructor(service: JobsService) {
    this.#service = service;
  }

  restart(atMs: number): void {
    this.#work(atMs);
    const { restarts = 'forgets' } = this.#service;
    if (restarts === 'forgets') this.#jobs.clear();
    for (const job of this.#running()) job.state = restarts === 'fails' ? 'FAILED' : 'IN_QUEUE';
  }

  answer({ operation, jobId, waitMs, body, bytes }: TargetRequest, atMs: number): TargetAnswer {
    this.#work(atMs);
    const says = (status: number, reported: unknown, laterMs = 0): TargetAnswer => ({
      status,
      body: JSON.stringify(reported),
      atMs: atMs + laterMs,
    });
    switch (operation) {
      case 'run':
      case 'runsync': {
        const { mostBytes = Number.POSITIVE_INFINITY, tooLarge = 413, refuses } = this.#service;
        if (bytes > mostBytes) return says(tooLarge, { error: 'too large' });
        if (refuses?.(this.#queued().length))
          return says(this.#service.refusal ?? TOO_MANY, { error: 'queue is full' });
        const id = this.#submit(body, bytes, atMs);
        const reported = (): unknown => ({ id, ...this.#reported(id) });
        if (operation === 'run') return says(200, { id, status: 'IN_QUEUE' });
        return says(200, reported(), this.#jobs.get(id)?.state === 'IN_QUEUE' ? (waitMs ?? 0) : 0);
      }
      case 'status': {
        const reported = this.#reported(jobId);
        return reported ? says(200, { id: jobId, ...reported }) : says(404, { error: 'job not found' });
      }
      case 'cancel':
        return this.#cancel(jobId) ? says(200, { id: jobId, status: 'CANCELLED' }) : says(404, {});
      case 'purge-queue':
        return says(200, { removed: this.#purge(atMs) });
      case 'health': {
        const count = { inQueue: this.#queued().length, inProgress: this.#running().length };
        return says(200, this.#service.healthReports === false ? {} : { jobs: count });
      }
      default:
        return says(404, {});
    }
  }

  #queued = (): Job[] => [...this.#jobs.values()].filter(({ state }) => state === 'IN_QUEUE');
  #running = (): Job[] => [...this.#jobs.values()].filter(({ state }) => state === 'IN_PROGRESS');

  /** What the workers have done by then. */
  #work(atMs: number): void {
    for (;;) {
      const running = this.#running();
      const [waiting] = this.#queued();
      if (waiting && running.length < this.#service.workersMax) {
        waiting.state = 'IN_PROGRESS';
        waiting.endsMs = this.#workedMs + waiting.takesMs;
        continue;
      }
      const next = running.reduce<Job | null>(
        (first, one) => (first && first.endsMs <= one.endsMs ? first : one),
        null,
      );
      if (!next || next.endsMs > atMs) break;
      next.state = 'COMPLETED';
      this.#workedMs = next.endsMs;
    }
    this.#workedMs = atMs;
  }

  #submit(body: string, bytes: number, atMs: number): string {
    this.#count += 1;
    const id = `job-${this.#count}`;
    const { delay_ms: takesMs = 0, echo = null } = inputOf(body);
    const lost = bytes > (this.#service.losesBeyond ?? Number.POSITIVE_INFINITY);
    if (!lost) this.#jobs.set(id, { state: 'IN_QUEUE', takesMs, output: echo, endsMs: Number.POSITIVE_INFINITY });
    this.#work(atMs);
    return id;
  }

  #reported(id: string): object | null {
    const job = this.#jobs.get(id);
    if (!job) return null;
    return job.state === 'COMPLETED' ? { status: job.state, output: job.output } : { status: job.state };
  }

  #cancel(id: string): boolean {
    const job = this.#jobs.get(id);
    if (!job) return false;
    if (this.#service.forgetsCancelled) this.#jobs.delete(id);
    else job.state = 'CANCELLED';
    return true;
  }

  #purge(atMs: number): number {
    const { purged = 'unknown', purgesRunning } = this.#service;
    const queued = purged === 'left' ? [] : this.#queued();
    this.#drop(queued, purged === 'CANCELLED' ? 'CANCELLED' : 'unknown');
    if (purgesRunning) this.#drop(this.#running(), purgesRunning);
    this.#work(atMs);
    return queued.length;
  }

  #drop(jobs: readonly Job[], into: 'unknown' | 'CANCELLED'): void {
    for (const [id, job] of this.#jobs) {
      if (!jobs.includes(job)) continue;
      if (into === 'unknown') this.#jobs.delete(id);
      else job.state = 'CANCELLED';
    }
  }
}

function inputOf(body: string): { readonly delay_ms?: number; readonly echo?: unknown } {
  const parsed: unknown = JSON.parse(body);
  const input = typeof parsed === 'object' && parsed !== null && 'input' in parsed ? parsed.input : null;
  return typeof input === 'object' && input !== null ? input : {};
}
