/**
 * Who may come in: one rate limiter and one gate per counter. Interface B counts per endpoint instance, interface A per
 * client address; operations whose counter has the same name share both.
 */
import { type OperationId, operation } from '../../schemas/operations.ts';
import { tooManyRequests } from '../errors.ts';
import type { ReferenceOptions } from '../options.ts';
import type { Reply } from '../reply.ts';
import { concurrencyOf, rateLimiterFor } from './effective.ts';
import { Gate, type Slot } from './gate.ts';
import type { RateLimiter } from './rate-limiter.ts';

interface Counter {
  readonly rate: RateLimiter;
  readonly gate: Gate;
}

const NO_SLOT: Slot = { free: () => undefined };

export class Admission {
  readonly #options: ReferenceOptions;
  readonly #counters = new Map<string, Counter>();

  constructor(options: ReferenceOptions) {
    this.#options = options;
  }

  /**
   * A slot that must be freed when the request is over, or the 429 to answer instead.
   * `scope` is the endpoint instance or the client address.
   */
  admit(id: OperationId, scope: string, nowMs: number): { slot: Slot } | { refused: Reply } {
    const { rules, retryAfterSeconds } = this.#options;
    const side = operation(id).interface;
    const name = rules.counter(id) ?? (rules.extraRate(id) ? id : null);
    if (name === null) return { slot: NO_SLOT };
    const counter = this.#counterOf(id, `${side} ${scope} ${name}`);
    const rate = counter.rate.take(nowMs);
    if (!rate.admitted) {
      return { refused: tooManyRequests(side, 'too many requests: rate limit reached', rate.retryAfterMs) };
    }
    const slot = counter.gate.enter();
    if (slot) return { slot };
    const message = 'too many requests: concurrency limit reached';
    return { refused: tooManyRequests(side, message, retryAfterSeconds * 1000) };
  }

  #counterOf(id: OperationId, key: string): Counter {
    let counter = this.#counters.get(key);
    if (!counter) {
      const { budget } = operation(id);
      counter = {
        rate: rateLimiterFor(this.#options, id, budget),
        gate: new Gate(concurrencyOf(this.#options, budget)),
      };
      this.#counters.set(key, counter);
    }
    return counter;
  }
}
