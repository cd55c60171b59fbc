/** What the senders of this process use of sockets and timers, in a world without time. */
import type { ExchangeOptions } from '../../../scenarios/execute/exchange.ts';
import type { OutgoingRequest } from '../../../scenarios/execute/requests.ts';
import type { Upload, Uploaded } from '../../../scenarios/kinds/payload/send/upload.ts';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { requestOf } from './virtual-k6.ts';
import type { TargetRequest, World, WorldTrouble } from './virtual-world.ts';

export class VirtualNode {
  #world: World | undefined;
  #stop = new AbortController();
  #killedMs = Number.POSITIVE_INFINITY;

  /** Goes on in this world. */
  enter(world: World, trouble: WorldTrouble): void {
    this.#world = world;
    this.#stop = new AbortController();
    this.#killedMs = trouble.kind === 'killed' ? trouble.atMs : Number.POSITIVE_INFINITY;
  }

  /** Aborted when the sender is to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Node's clock is not the one that is stepped. */
  stopwatch(): () => number {
    const world = this.#here();
    const fromMs = world.nowMs;
    return () => world.nowMs - fromMs;
  }

  async pause(ms: number): Promise<void> {
    this.#here().pass(ms);
    if (this.#here().nowMs >= this.#killedMs) this.#stop.abort();
    this.signal.throwIfAborted();
  }

  async upload({ request, pieces, clock, timeoutMs }: Upload): Promise<Uploaded> {
    const whole = Buffer.concat([...pieces]);
    const sentMs = clock();
    const { status, body, error } = await this.#answer(
      requestOf(request.method, request.url, whole.toString()),
      timeoutMs,
    );
    const endMs = clock();
    return { status, error, body, sent: 'whole', sentMs, firstByteMs: endMs, endMs };
  }

  async exchange(
    one: OutgoingRequest,
    { phase, clock, timeoutMs }: ExchangeOptions,
  ): Promise<{ readonly entry: LedgerEntry; readonly body: string }> {
    const sentMs = clock();
    const { status, body, error } = await this.#answer(requestOf(one.method, one.url, one.body), timeoutMs);
    const times = { sentMs, firstByteMs: clock(), endMs: clock() };
    return { entry: { phase, operation: one.operation, ...times, status, error, note: '' }, body };
  }

  async #answer(request: TargetRequest, timeoutMs: number): Promise<Pick<Uploaded, 'status' | 'error' | 'body'>> {
    const world = this.#here();
    const answer = world.send(request);
    const waitMs = answer.atMs - world.nowMs;
    await this.pause(Math.min(waitMs, timeoutMs));
    if (waitMs > timeoutMs) return { status: 0, body: '', error: 'timeout' };
    return { ...answer, error: answer.status === 0 ? 'ECONNRESET' : '' };
  }

  #here(): World {
    if (!this.#world) throw new Error('a sender was started outside of any world');
    return this.#world;
  }
}
