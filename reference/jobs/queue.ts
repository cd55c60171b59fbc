/**
 * Jobs waiting for a worker, in their order. A job that leaves from the middle (cancelled, timed out) stays in the list
 * until its turn comes or the list is tidied, so that a purge of a hundred thousand costs each of them one step, and
 * taking the first never walks over those that left before it twice.
 */
import type { Job } from './job.ts';

/** So many left-over jobs are never tidied up. */
const FEW = 64;

const waits = (job: Pick<Job, 'state'>): boolean => job.state === 'IN_QUEUE';

export class Queue {
  #jobs: (Job | undefined)[] = [];
  #head = 0;
  #size = 0;

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** The one whose turn it is. */
  get first(): Job | undefined {
    return this.#jobs[this.#head];
  }

  add(job: Job): void {
    this.#jobs.push(job);
    this.#size += 1;
  }

  /** Has to be called whenever one of its jobs has stopped waiting, after its state changed. */
  left(): void {
    this.#size -= 1;
    for (let job = this.first; job && !waits(job); job = this.first) {
      // Let go of: its output may be megabytes, and longer in this list than it is kept.
      this.#jobs[this.#head] = undefined;
      this.#head += 1;
    }
    if (this.#jobs.length <= 2 * this.#size + FEW) return;
    this.#jobs = this.waiting();
    this.#head = 0;
  }

  /** All that wait, in their order. */
  waiting(): Job[] {
    return this.#jobs
      .slice(this.#head)
      .filter((job) => job !== undefined)
      .filter(waits);
  }
}
