/** Opens held requests in waves and waits until the target has had its say about all of them. */
import type { Agent } from 'node:http';
import { setImmediate as polled } from 'node:timers/promises';
import { median } from '../../../../schemas/median.ts';
import { operationIn } from '../../../../schemas/own.ts';
import { withoutInput } from '../../../../schemas/workloads.ts';
import type { Sending } from '../../../execute/environment.ts';
import { headersFor, inTurn, type OutgoingRequest, outgoing, userAgentOf } from '../../../execute/requests.ts';
import { pause, type Stopwatch, within } from '../../../execute/stopwatch.ts';
import type { ConcurrencyParameters } from '../../../probe.ts';
import { BATCH } from './amounts.ts';
import { HeldRequest, type HeldRequestOptions } from './request.ts';

const SETTLE_MS = 300;
const ROUND_TRIPS = 5;
/** So many times what the target took for its slowest answer so far: a refusal may take it as long again. */
const ANSWER_TIMES = 2;
const LONGEST_SETTLE_MS = 5000;
const FLUSH_PATIENCE_MS = 15_000;
/** A request that was waited for in vain: how long that took says nothing about answers. */
export const WAITED_IN_VAIN = 408;

export interface WaveContext {
  readonly parameters: ConcurrencyParameters;
  readonly sending: Sending;
  readonly jobId: string | null;
  readonly agent: Agent;
  readonly clock: Stopwatch;
  readonly signal: AbortSignal;
  /** Sends the target another request and waits for the response: how long that took, ms, or null without one. */
  readonly timeAnswer: () => Promise<number | null>;
}

/** From which address of this machine, and whether whole. */
export type How = Pick<HeldRequestOptions, 'whole' | 'localAddress'>;

export class Waves {
  /** Only POST where an operation takes both: set when the target answers a GET before its body is complete. */
  postOnly = false;
  readonly #context: WaveContext;
  readonly #all: HeldRequest[] = [];
  #slowestMs = 0;
  #slowestTimedMs = 0;
  #polls = true;

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

  /**
   * Opens `count` requests, the probe's operations in turn, and waits until their responses, if any, are in. After each
   * batch it sends another request: so no more connections wait to be accepted than one batch, and a target that was
   * kept from running is known to be slow. After the last one only when responses have stopped coming in: that request
   * may take a slot itself, and would then explain a refusal. Whole requests are sent all at the same moment, when each
   * has its connection.
   */
  async open(count: number, how: How = {}): Promise<HeldRequest[]> {
    const wave: HeldRequest[] = [];
    while (wave.length < count) {
      const size = Math.min(BATCH, count - wave.length);
      const batch = Array.from({ length: size }, () => this.#openOne(this.#nextRequest(), how));
      wave.push(...batch);
      await within(Promise.all(batch.map((one) => one.flushed)), FLUSH_PATIENCE_MS, this.#context.signal);
      if (how.whole) continue;
      if (wave.length >= count) await this.#settle();
      await this.timeAnswer();
    }
    if (how.whole) for (const one of wave) one.release();
    return wave;
  }

  /** Opens this one request; default: the next in turn. */
  async openOne(request = this.#nextRequest()): Promise<HeldRequest> {
    const one = this.#openOne(request);
    await within(one.flushed, FLUSH_PATIENCE_MS, this.#context.signal);
    await this.#settle();
    return one;
  }

  /** Sends another one of the kind that came first, whole. */
  sendFirst(): HeldRequest {
    const one = this.#openOne(this.#requestInTurn(0), { whole: true });
    one.release();
    return one;
  }

  /**
   * Learns how long an answer takes, and that everything sent before was accepted; not again where none came.
   * @returns the longest that one of these took so far, ms, which a target or a sender that was kept from running
   *   explains; null without an answer
   */
  async timeAnswer(): Promise<number | null> {
    const tookMs = this.#polls ? await this.#context.timeAnswer() : null;
    this.#polls = tookMs !== null;
    this.#slowestTimedMs = Math.max(this.#slowestTimedMs, tookMs ?? 0);
    this.#slowestMs = Math.max(this.#slowestMs, this.#slowestTimedMs);
    return this.#polls ? this.#slowestTimedMs : null;
  }

  /** Drops all that is still in flight. */
  destroyAll(error: string): void {
    for (const one of this.#all) if (one.held) one.destroy(error);
  }

  #nextRequest(): OutgoingRequest {
    return this.#requestInTurn(this.#all.length);
  }

  #requestInTurn(turn: number): OutgoingRequest {
    const { parameters, sending, jobId } = this.#context;
    const { id, method } = inTurn(parameters.operations, turn, sending.addresses.operations);
    const post = this.postOnly && operationIn(sending.addresses.operations, id).methods.includes('POST');
    return outgoing(sending.addresses, id, {
      method: post ? 'POST' : method,
      ...(jobId === null ? {} : { jobId }),
      ...(parameters.withoutInput === undefined ? {} : { body: JSON.stringify(withoutInput(sending.addresses.runId)) }),
    });
  }

  #openOne(request: OutgoingRequest, how: How = {}): HeldRequest {
    const { sending, agent, clock } = this.#context;
    const body = request.body ?? (how.whole ? '' : '{}');
    const held = new HeldRequest({
      request: { ...request, body },
      headers: { ...headersFor(sending.key, body !== ''), 'User-Agent': userAgentOf(sending.addresses) },
      agent,
      clock,
      ...how,
    });
    this.#all.push(held);
    return held;
  }

  /** Waits for quiet: as long as answers still come in, the target is not done with what was opened. */
  async #settle(): Promise<void> {
    const { clock, signal } = this.#context;
    const quietMs = Math.max(
      SETTLE_MS,
      ROUND_TRIPS * median(this.#all.map((one) => one.connectMs).filter((ms) => ms > 0)),
      ANSWER_TIMES * Math.min(this.#slowestAnswerMs(), LONGEST_SETTLE_MS / ANSWER_TIMES),
    );
    const until = clock() + Math.max(LONGEST_SETTLE_MS, 2 * quietMs);
    for (let answered = -1; answered !== this.#answered() && clock() < until; ) {
      answered = this.#answered();
      await pause(quietMs, signal);
      // After it was kept from running, the timeout is seen before the data that arrived before it.
      await polled();
    }
  }

  #slowestAnswerMs(): number {
    for (const { outcome } of this.#all) {
      if (outcome?.early && outcome.status !== 0 && outcome.status !== WAITED_IN_VAIN) {
        this.#slowestMs = Math.max(this.#slowestMs, outcome.firstByteMs - outcome.sentMs);
      }
    }
    return this.#slowestMs;
  }

  #answered(): number {
    return this.#all.filter((one) => !one.held).length;
  }
}
