/**
 * Who may come in: one rate limiter and one gate per counter. Interface B counts per endpoint instance, interface A per
 * client address; operations whose counter has the same name share both.
 */
import { type DocumentedOperationId, operation } from '../../schemas/operations.ts';
import { tooManyRequests } from '../errors.ts';
import { slotFields } from '../inference/headers.ts';
import type { ReferenceOptions } from '../options.ts';
import type { Reply } from '../reply.ts';
import type { Caller } from '../rules.ts';
import { concurrencyOf, rateLimiterFor } from './effective.ts';
import { Gate, type Slot } from './gate.ts';
import { type RateLimitFields, rateLimitFields } from './rate-limit-fields.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type Entry = (
  | { readonly slot: Slot }
  | { readonly refused: Reply; readonly by: 'requests' | 'concurrent-requests' }
) & {
  /** The header fields about the rate limit; null where there are none. */
  readonly fields: RateLimitFields | null;
};

interface Rate {
  readonly limiter: RateLimiter;
  readonly fields: RateLimitFields | null;
}

interface Entrance {
  readonly gate: Gate;
  readonly fields: RateLimitFields | null;
}

const NO_SLOT: Slot = { free: () => undefined };

/** By the counter's name, then by whose requests it counts. */
type Counters<T> = Map<string, Map<string, T>>;

/** The counter of that name for that scope, made on first use. */
function lazily<T>(counters: Counters<T>, name: string, scope: string, make: () => T): T {
  const known = counters.get(name)?.get(scope);
  if (known !== undefined) return known;
  const scopes = counters.get(name) ?? new Map<string, T>();
  counters.set(name, scopes);
  const made = make();
  scopes.set(scope, made);
  return made;
}

export class Admission {
  readonly #options: ReferenceOptions;
  readonly #rates: Counters<Rate> = new Map();
  readonly #gates: Counters<Entrance> = new Map();

  constructor(options: ReferenceOptions) {
    this.#options = options;
  }

  /** A slot that must be freed when the request is over, or the 429 to answer instead. */
  admit(id: DocumentedOperationId, caller: Caller, nowMs: number): Entry {
    const side = operation(id).interface;
    const { rules, retryAfterSeconds } = this.#options;
    const rate = this.#rateOf(id, rules.scope(id, 'rate', caller));
    const fields = rate?.fields ?? null;
    const admission = rate?.limiter.take(nowMs);
    if (admission && !admission.admitted) {
      const refused = tooManyRequests(side, 'too many requests: rate limit reached', admission.retryAfterMs);
      return { refused, by: 'requests', fields };
    }
    const gate = this.#gateOf(id, rules.scope(id, 'concurrency', caller));
    const slot = gate ? gate.gate.enter() : NO_SLOT;
    const reported = fields ?? gate?.fields ?? null;
    if (slot) return { slot, fields: reported };
    const message = 'too many requests: concurrency limit reached';
    const refused = tooManyRequests(side, message, retryAfterSeconds * 1000);
    return { refused, by: 'concurrent-requests', fields: reported };
  }

  /** Slots taken at all gates together. */
  taken(): number {
    let taken = 0;
    for (const scopes of this.#gates.values()) for (const { gate } of scopes.values()) taken += gate.taken;
    return taken;
  }

  /** Interface A has no rate limit (spec 8.1), so the table gives it none. */
  #rateOf(id: DocumentedOperationId, scope: string): Rate | null {
    const { rules, rateLimitHeaders } = this.#options;
    const name = rules.counter(id, 'rate') ?? (rules.extraRate(id) ? id : null);
    const make = (): Rate => {
      const limiter = rateLimiterFor(this.#options, id, operation(id).budget);
      const reported = rateLimitHeaders && operation(id).interface === 'jobs' ? limiter.quota : undefined;
      return { limiter, fields: reported ? rateLimitFields(reported) : null };
    };
    return name === null ? null : lazily(this.#rates, name, scope, make);
  }

  #gateOf(id: DocumentedOperationId, scope: string): Entrance | null {
    const { rules, rateLimitHeaders, retryAfterSeconds } = this.#options;
    const name = rules.counter(id, 'concurrency');
    const make = (): Entrance => {
      const limit = concurrencyOf(this.#options, operation(id).budget);
      const gate = new Gate(limit);
      const reported = rateLimitHeaders && operation(id).interface === 'inference';
      return { gate, fields: reported ? slotFields(gate, limit, retryAfterSeconds) : null };
    };
    return name === null ? null : lazily(this.#gates, name, scope, make);
  }
}
