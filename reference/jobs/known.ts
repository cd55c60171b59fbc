/**
 * The jobs an endpoint still knows, by id and newest first. They stand in blocks by the order they came in, so that a
 * page far down the list skips whole blocks and one job can be forgotten without moving the others.
 */
import type { Job } from './job.ts';

const BLOCK = 512;

interface Block {
  /** By number, from the block's first; a hole where one was forgotten. */
  readonly jobs: (Job | undefined)[];
  left: number;
}

export class KnownJobs {
  readonly #byId = new Map<string, Job>();
  /** The oldest block first; an empty one is dropped. */
  readonly #blocks = new Map<number, Block>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Job | undefined {
    return this.#byId.get(id);
  }

  ids(): Iterable<string> {
    return this.#byId.keys();
  }

  /** Jobs have to come in the order of their numbers. */
  add(job: Job): void {
    this.#byId.set(job.id, job);
    const number = Math.floor(job.number / BLOCK);
    const block = this.#blocks.get(number) ?? { jobs: [], left: 0 };
    if (block.left === 0) this.#blocks.set(number, block);
    block.jobs[job.number % BLOCK] = job;
    block.left += 1;
  }

  forget(job: Job): void {
    if (!this.#byId.delete(job.id)) return;
    const number = Math.floor(job.number / BLOCK);
    const block = this.#blocks.get(number);
    if (!block) return;
    block.jobs[job.number % BLOCK] = undefined;
    block.left -= 1;
    if (block.left === 0) this.#blocks.delete(number);
  }

  /** At most `limit` jobs after the `offset` newest ones, newest first. */
  newest(offset: number, limit: number): Job[] {
    const page: Job[] = [];
    let skip = offset;
    for (const { jobs, left } of [...this.#blocks.values()].reverse()) {
      if (page.length >= limit) break;
      if (skip < left) {
        const known = jobs.filter((job) => job !== undefined).reverse();
        page.push(...known.slice(skip, skip + limit - page.length));
      }
      skip = Math.max(0, skip - left);
    }
    return page;
  }
}
