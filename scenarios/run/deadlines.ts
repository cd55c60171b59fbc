/**
 * What has to be over, or past its preparation, before a rate probe that waits through its idle window begins to mind it.
 * As a rule it is by far; where it takes much longer than expected, that probe is put off, for in its window there would
 * be requests that it knows nothing of.
 */
import { type Deadline, deadlinesOf } from '../idle.ts';
import type { Gang, Running } from '../schedule.ts';

export class Deadlines {
  #all: Deadline[] = [];

  /** For a gang that starts at `nowMs` beside those that run. */
  add(gang: Gang, running: readonly Running[], nowMs: number): void {
    for (const probe of gang) {
      const own = { probe, startMs: nowMs, endMs: nowMs + probe.estimateMs };
      this.#all.push(...running.flatMap((other) => deadlinesOf(own, other)));
    }
  }

  /** Ids of the probes that must not go on at `nowMs`: what is in their way still runs. Each is told once. */
  missed(running: readonly Running[], nowMs: number): string[] {
    const passed = this.#all.filter(({ atMs }) => atMs <= nowMs);
    this.#all = this.#all.filter(({ atMs }) => atMs > nowMs);
    const isStill = ({ other, state }: Deadline): boolean =>
      running.some(({ probe, preparing }) => probe === other && (state === 'over' || preparing));
    const runs = ({ idle }: Deadline): boolean => running.some(({ probe }) => probe === idle);
    return [...new Set(passed.filter((one) => isStill(one) && runs(one)).map(({ idle }) => idle.id))];
  }

  /** When to look again; infinite when there is nothing to look for. */
  nextMs(nowMs: number): number {
    return this.#all.reduce(
      (least, { atMs }) => (atMs > nowMs ? Math.min(least, atMs) : least),
      Number.POSITIVE_INFINITY,
    );
  }
}
