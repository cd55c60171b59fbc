/** The jobs of the tests' service: a queue, workers, and the answers of the operations on a job. */

interface Job {
  readonly id: string;
  readonly delayMs: number;
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED';
}

const HEAD_CHARACTERS = 100;

export interface JobAnswer {
  readonly status: number;
  readonly record: unknown;
}

/** Whether the body of a chat wants it as a stream. */
export const isStreamed = (body: string): boolean => body.includes('"stream":true');

export class JobBook {
  readonly all = new Map<string, Job>();
  /** The beginning of each submission. */
  readonly heads: string[] = [];
  /** Whether health says how many jobs wait. */
  reportsCount = false;
  /** For so long it says what it said before. */
  countLastsMs = 0;
  #count = { jobs: 0, atMs: Number.NEGATIVE_INFINITY };
  /** Whether a submission is refused for the queue; default: beyond the border. */
  refuses: (queued: number, operation: string) => boolean;
  /** Which queued jobs a purge takes, by their place; whether it takes running ones; and how long after its answer. */
  purge: { takes: (place: number) => boolean; running: boolean; lateMs: number } = {
    takes: () => true,
    running: false,
    lateMs: 0,
  };
  /** Whether a queued job can be cancelled. */
  cancelsQueued = true;
  /** Whether one that runs can be. */
  cancelsRunning = true;
  readonly #workers: number;
  #queue: Job[] = [];
  #running = 0;
  #timers = new Set<NodeJS.Timeout>();
  #waiters = new Set<() => void>();

  constructor(workers: number, border: number) {
    this.#workers = workers;
    this.refuses = (queued) => queued > border;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get running(): number {
    return this.#running;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const wake of [...this.#waiters]) wake();
  }

  async perform(operation: string, jobId: string, body: string, waitMs: number): Promise<JobAnswer> {
    const job = this.all.get(jobId);
    switch (operation) {
      case 'run':
      case 'runsync': {
        if (this.refuses(this.queued, operation)) return { status: 429, record: { error: 'queue' } };
        this.heads.push(body.slice(0, HEAD_CHARACTERS));
        const made = this.#submit(operation, body);
        if (operation === 'runsync') await this.#awaitEnd(made, waitMs || 90_000);
        return { status: 200, record: { id: made.id, status: made.status } };
      }
      case 'purge-queue': {
        const removed = this.#queue.length;
        if (this.purge.lateMs > 0) this.#later(this.purge.lateMs, () => this.#clear());
        else this.#clear();
        return { status: 200, record: { removed, status: 'completed' } };
      }
      case 'cancel':
        if (job) this.#cancel(job);
        break;
      case 'status-sync':
      case 'stream':
        if (job) await this.#awaitEnd(job, waitMs || 5000);
        break;
      case 'status':
        break;
      case 'health':
        if (performance.now() - this.#count.atMs >= this.countLastsMs) {
          this.#count = { jobs: this.queued, atMs: performance.now() };
        }
        return { status: 200, record: this.reportsCount ? { jobs: { inQueue: this.#count.jobs } } : {} };
      case 'chat':
        await new Promise<void>((resolve) => this.#later(this.#chatMs(body), resolve));
        return { status: 200, record: { choices: [] } };
      default:
        return { status: 200, record: {} };
    }
    if (!job) return { status: 404, record: { error: 'job not found' } };
    return { status: 200, record: { id: job.id, status: job.status, stream: [] } };
  }

  /** How long a chat completion of more than one token takes, whole or as a stream. */
  chatMs = 0;
  streamedChatMs = 0;

  #chatMs(body: string): number {
    if (isStreamed(body)) return Math.max(this.chatMs, this.streamedChatMs);
    return /"max_tokens":1\b/.test(body) ? 0 : this.chatMs;
  }

  #submit(operation: string, body: string): Job {
    const id = `${operation === 'runsync' ? 'sync-' : ''}${this.all.size + 1}`;
    const delayMs = Number(/"delay_ms":(\d+)/.exec(body)?.[1] ?? 0);
    const job: Job = { id, delayMs, status: 'IN_QUEUE' };
    this.all.set(id, job);
    this.#queue.push(job);
    this.#dispatch();
    return job;
  }

  #clear(): void {
    const taken = this.#queue.filter((_, place) => this.purge.takes(place));
    for (const one of taken) one.status = 'CANCELLED';
    this.#queue = this.#queue.filter((one) => !taken.includes(one));
    const running = [...this.all.values()].filter((one) => this.purge.running && one.status === 'IN_PROGRESS');
    for (const one of running) this.#end(one, 'CANCELLED');
    this.#wake();
  }

  #dispatch(): void {
    while (this.#running < this.#workers) {
      const job = this.#queue.shift();
      if (!job) return;
      job.status = 'IN_PROGRESS';
      this.#running += 1;
      this.#later(job.delayMs, () => this.#end(job, 'COMPLETED'));
    }
  }

  #end(job: Job, status: 'COMPLETED' | 'CANCELLED'): void {
    if (job.status !== 'IN_PROGRESS') return;
    job.status = status;
    this.#running -= 1;
    this.#wake();
    this.#dispatch();
  }

  #cancel(job: Job): void {
    if (this.cancelsRunning) this.#end(job, 'CANCELLED');
    if (job.status !== 'IN_QUEUE' || !this.cancelsQueued) return;
    job.status = 'CANCELLED';
    this.#queue = this.#queue.filter((one) => one !== job);
    this.#wake();
  }

  async #awaitEnd(job: Job, waitMs: number): Promise<void> {
    const until = Date.now() + waitMs;
    while ((job.status === 'IN_QUEUE' || job.status === 'IN_PROGRESS') && Date.now() < until) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.#timers.delete(timer);
          this.#waiters.delete(wake);
          resolve();
        };
        const timer = this.#later(until - Date.now(), wake);
        this.#waiters.add(wake);
      });
    }
  }

  #later(ms: number, then: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #wake(): void {
    for (const wake of [...this.#waiters]) wake();
  }
}
