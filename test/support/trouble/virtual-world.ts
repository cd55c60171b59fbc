/**
 * A world without time for senders that are run as they are: a target, the road to it, the clock and the processor of
 * the sender, and what goes wrong with any of them. A whole probe passes in milliseconds, so it can be tried on thousands
 * of troubles.
 */

export interface TargetRequest {
  readonly method: string;
  /** Behind the instance: `run`, `status`, ... */
  readonly operation: string;
  /** Empty where the path names none. */
  readonly jobId: string;
  /** Of the query, ms; null where it names none. */
  readonly waitMs: number | null;
  /** Text, or how many bytes there were. */
  readonly body: string;
  readonly bytes: number;
}

export interface TargetAnswer {
  /** 0: the connection was cut. */
  readonly status: number;
  readonly body: string;
  /** When it is given, on the world's clock, ms. */
  readonly atMs: number;
}

export interface VirtualTarget {
  answer(request: TargetRequest, atMs: number): TargetAnswer;
  /** Started again: in memory is then what it keeps elsewhere, if anything. */
  restart(atMs: number): void;
}

/** `atMs` is on the world's clock, which begins with the probe; shares are of all requests, 0 to 1. */
export type WorldTrouble =
  | { readonly kind: 'none' }
  /** Connections that break, by turns before the target has seen the request and in its answer. */
  | { readonly kind: 'cut'; readonly share: number; readonly seed: number }
  /** Every connection breaks for a while, in the answer or before. */
  | { readonly kind: 'cut-spell'; readonly atMs: number; readonly forMs: number; readonly late: boolean }
  /** A gateway answers 503 for a while. */
  | { readonly kind: 'unavailable'; readonly atMs: number; readonly forMs: number }
  /** The target is gone for a moment; with 0 ms no request meets it gone. */
  | { readonly kind: 'restart'; readonly atMs: number; readonly forMs: number }
  /** From some moment on nothing is answered. */
  | { readonly kind: 'hang'; readonly atMs: number }
  | { readonly kind: 'delay'; readonly atMs: number; readonly byMs: number }
  /** The sender stands still. */
  | { readonly kind: 'stall'; readonly atMs: number; readonly forMs: number }
  /** The sender's only clock is stepped. */
  | { readonly kind: 'step'; readonly atMs: number; readonly byMs: number }
  /** The sender is killed. */
  | { readonly kind: 'killed'; readonly atMs: number }
  /** The disk takes no more for so many lines. */
  | { readonly kind: 'full'; readonly from: number; readonly lines: number }
  /** Lines that another writer tore. */
  | { readonly kind: 'torn'; readonly share: number; readonly seed: number };

const ONE_WAY_MS = 1;

export class World {
  readonly #target: VirtualTarget;
  readonly #trouble: WorldTrouble;
  readonly #waiting: { readonly atMs: number; readonly go: () => void }[] = [];
  #nowMs = 0;
  #over = false;
  #requests = 0;
  readonly #unlucky: () => boolean;

  constructor(target: VirtualTarget, trouble: WorldTrouble) {
    this.#target = target;
    this.#trouble = trouble;
    this.#unlucky = trouble.kind === 'cut' ? chance(trouble) : () => false;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** As the sender reads it. */
  get clockMs(): number {
    const { kind } = this.#trouble;
    return kind === 'step' && this.#nowMs >= this.#trouble.atMs ? this.#nowMs + this.#trouble.byMs : this.#nowMs;
  }

  /** The sender waits, or is made to; then all that was to happen by then has happened. */
  pass(ms: number): void {
    const trouble = this.#trouble;
    let untilMs = this.#nowMs + Math.max(0, ms);
    if (trouble.kind === 'stall' && !this.#over && untilMs >= trouble.atMs) {
      this.#over = true;
      untilMs = Math.max(untilMs, trouble.atMs + trouble.forMs);
    }
    this.#nowMs = untilMs;
    for (const one of this.#waiting.splice(0)) {
      if (one.atMs <= untilMs) one.go();
      else this.#waiting.push(one);
    }
  }

  /** Calls `go` once that moment has passed. */
  at(atMs: number, go: () => void): void {
    this.#waiting.push({ atMs, go });
  }

  /** What becomes of a request that is sent now; its answer's moment is when the sender has it. */
  send(request: TargetRequest): TargetAnswer {
    const answer = this.#way(request, this.#nowMs + ONE_WAY_MS + this.#delayMs());
    return { ...answer, atMs: answer.atMs + ONE_WAY_MS + this.#delayMs() };
  }

  #delayMs(): number {
    return this.#trouble.kind === 'delay' && this.#nowMs >= this.#trouble.atMs ? this.#trouble.byMs : 0;
  }

  #way(request: TargetRequest, atMs: number): TargetAnswer {
    const trouble = this.#trouble;
    const cut: TargetAnswer = { status: 0, body: '', atMs };
    this.#requests += 1;
    switch (trouble.kind) {
      case 'cut':
        if (!this.#unlucky()) return this.#target.answer(request, atMs);
        return this.#requests % 2 === 0 ? cut : this.#cutInAnswer(request, atMs);
      case 'cut-spell':
        if (!within(atMs, trouble)) return this.#target.answer(request, atMs);
        return trouble.late ? this.#cutInAnswer(request, atMs) : cut;
      case 'unavailable':
        return within(atMs, trouble) ? { status: 503, body: '{}', atMs } : this.#target.answer(request, atMs);
      case 'restart': {
        if (atMs < trouble.atMs) {
          const answer = this.#target.answer(request, atMs);
          return answer.atMs > trouble.atMs ? { ...cut, atMs: trouble.atMs } : answer;
        }
        if (!this.#over) this.#target.restart(trouble.atMs);
        this.#over = true;
        return within(atMs, trouble) ? cut : this.#target.answer(request, atMs);
      }
      case 'hang':
        return atMs < trouble.atMs ? this.#target.answer(request, atMs) : { ...cut, atMs: Number.POSITIVE_INFINITY };
      default:
        return this.#target.answer(request, atMs);
    }
  }

  #cutInAnswer(request: TargetRequest, atMs: number): TargetAnswer {
    const { atMs: answeredMs } = this.#target.answer(request, atMs);
    return { status: 0, body: '', atMs: answeredMs };
  }
}

interface Span {
  readonly atMs: number;
  readonly forMs: number;
}

const within = (ms: number, { atMs, forMs }: Span): boolean => ms >= atMs && ms < atMs + forMs;

/** Whether the next one is unlucky; the same ones for the same seed. */
export function chance({ share, seed }: { readonly share: number; readonly seed: number }): () => boolean {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 < share;
  };
}
