/** Opens held requests in waves and waits until the target has had its say about all of them. */
import type { Agent } from 'node:http';
import type { Sending } from '../execute/environment.ts';
import { headersFor, inTurn, outgoing, userAgentOf } from '../execute/requests.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { pause, type Stopwatch, within } from './clock.ts';
import { HeldRequest } from './request.ts';

/** So many connections are being made at once: more would overflow a listener's backlog, not its limit. */
const CONNECTING = 100;
const SETTLE_MS = 300;
const ROUND_TRIPS = 5;
const LONGEST_SETTLE_MS = 5000;
const FLUSH_PATIENCE_MS = 15_000;

export interface WaveContext {
  readonly parameters: ConcurrencyParameters;
  readonly sending: Sending;
  readonly jobId: string | null;
  readonly agent: Agent;
  readonly clock: Stopwatch;
  readonly signal: AbortSignal;
}

export class Waves {
  readonly #context: WaveContext;
  readonly #all: HeldRequest[] = [];

  constructor(context: WaveContext) {
    this.#context = context;
  }

  /** Requests opened so far. */
  get opened(): number {
    return this.#all.length;
  }

  /** Whether all of them are at least with the operating system, so that what is sent now is sent later. */
  get allWritten(): boolean {
    return this.#all.every((one) => one.written);
  }

  /** Opens `count` requests, the probe's operations in turn, and waits until their answers, if any, are in. */
  async open(count: number): Promise<HeldRequest[]> {
    const wave: HeldRequest[] = [];
    while (wave.length < count) {
      const batch = Array.from({ length: Math.min(CONNECTING, count - wave.length) }, () => this.#openOne());
      wave.push(...batch);
      await within(Promise.all(batch.map((one) => one.flushed)), FLUSH_PATIENCE_MS, this.#context.signal);
    }
    await this.#settle();
    return wave;
  }

  /** Drops whatever is still in flight. */
  destroyAll(error: string): void {
    for (const one of this.#all) if (one.held) one.destroy(error);
  }

  #openOne(): HeldRequest {
    const { parameters, sending, jobId, agent, clock } = this.#context;
    const { id, method } = inTurn(parameters.operations, this.#all.length);
    const request = outgoing(sending.addresses, id, { method, ...(jobId === null ? {} : { jobId }) });
    const held = new HeldRequest({
      request: { ...request, body: request.body ?? '{}' },
      headers: { ...headersFor(sending.key, true), 'User-Agent': userAgentOf(sending.addresses) },
      agent,
      clock,
    });
    this.#all.push(held);
    return held;
  }

  /** Waits for quiet: as long as answers still come in, the target is not done with what was opened. */
  async #settle(): Promise<void> {
    const { clock, signal } = this.#context;
    const quietMs = Math.max(SETTLE_MS, ROUND_TRIPS * median(this.#all.map((one) => one.connectMs)));
    const until = clock() + Math.max(LONGEST_SETTLE_MS, 2 * quietMs);
    for (let answered = -1; answered !== this.#answered() && clock() < until; ) {
      answered = this.#answered();
      await pause(quietMs, signal);
    }
  }

  #answered(): number {
    return this.#all.filter((one) => !one.held).length;
  }
}

function median(values: readonly number[]): number {
  const known = values.filter((value) => value > 0).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)] ?? 0;
}
