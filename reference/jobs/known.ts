/**
 * The jobs an endpoint still knows, by id and newest first. They stand in blocks by the order they came in, so that a
 * page far down the list skips whole blocks and one job can be forgotten without moving the others.
 */
import type { Job } from './job.ts';

const BLOCK = 512;

export class KnownJobs {
  readonly #byId = new Map<string, Job>();
  /** The oldest block first; an empty one is dropped. */
  readonly #blocks = new Map<number, Set<Job>>();

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
    const block = this.#blocks.get(number) ?? new Set();
    block.add(job);
    this.#blocks.set(number, block);
  }

  forget(job: Job): void {
    this.#byId.delete(job.id);
    const number = Math.floor(job.number / BLOCK);
    const block = this.#blocks.get(number);
    block?.delete(job);
    if (block?.size === 0) this.#blocks.delete(number);
  }

  /** At most `limit` jobs after the `offset` newest ones, newest first. */
  newest(offset: number, limit: number): Job[] {
    const page: Job[] = [];
    let skip = offset;
    for (const block of [...this.#blocks.values()].reverse()) {
      if (page.length >= limit) break;
      if (skip < block.size) page.push(...[...block].reverse().slice(skip, skip + limit - page.length));
      skip = Math.max(0, skip - block.size);
    }
    return page;
  }
}
