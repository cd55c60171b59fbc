/**
 * Keeps the suite within the documented limits, so that a refusal is never of our own making: before each request of a
 * limited operation it waits until the window has room. Numbers come from the limits table; the margin covers that a
 * request counts at the target at some unknown moment before its answer is complete.
 */
import { documentedTable, type LimitTable, type RateLimit } from '../../schemas/limits.ts';
import type { DocumentedBudgetId } from '../../schemas/operations.ts';
import type { Clock } from './clock.ts';

/** Share of a limit we use, and how much longer than its window we wait. Small limits are used whole. */
const SHARE = 0.8;
const SMALL = 4;
const WINDOW_MARGIN = 1.2;

export interface BudgetLimits {
  readonly perWindow: number;
  readonly windowMs: number;
  readonly atOnce: number;
}

/** Requests of each budget. */
export type Spent = Readonly<Partial<Record<DocumentedBudgetId, number>>>;

/** What was spent so long ago, ms. */
export interface Recent {
  readonly agoMs: number;
  readonly spends: Spent;
}

/**
 * Requests of about the same moment are answered together, as if all of them were as late as the last may have been.
 */
const MOMENT_MS = 500;

/** One permission to send a request; call `done` when the response is complete. */
export interface Permit {
  done(): void;
}

const within = (value: number): number => (value <= SMALL ? value : Math.floor(value * SHARE));

/** What the suite allows itself for a budget; where a target promises more than the spec, that is not made use of. */
export function allowanceOf(id: DocumentedBudgetId, table: LimitTable = documentedTable): BudgetLimits {
  const rate = slower(documentedTable.find('requests', id), table.find('requests', id));
  const tables = [documentedTable, table];
  const atOnce = tables.map((one) => one.find('concurrent-requests', id)?.value ?? Number.POSITIVE_INFINITY);
  return {
    perWindow: rate ? within(rate.value) : Number.POSITIVE_INFINITY,
    windowMs: rate ? rate.windowMs * WINDOW_MARGIN : 0,
    atOnce: within(Math.min(...atOnce)),
  };
}

function slower(a: RateLimit | undefined, b: RateLimit | undefined): RateLimit | undefined {
  if (!a || !b) return a ?? b;
  return b.value < a.value || b.value / b.windowMs < a.value / a.windowMs ? b : a;
}

interface Use {
  doneAt: number | null;
}

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  #uses: Use[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(limits: BudgetLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Waits until one more request is within the allowance; callers are served in order. Rejects with the signal's
   * reason.
   */
  take(signal: AbortSignal): Promise<Permit> {
    const mine = this.#turn.then(() => this.#wait(signal));
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Waits until `count` requests, one after the other, could be sent without another wait; takes none. */
  room(count: number, signal: AbortSignal): Promise<void> {
    const mine = this.#turn.then(() => this.#until(Math.min(count, this.#limits.perWindow), signal));
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Of requests that may still count in a window of the target: how long ago each was answered, 0 if it was not. */
  lately(): number[] {
    const now = this.#clock.now();
    const ago = this.#uses.map(({ doneAt }) => (doneAt === null ? 0 : now - doneAt));
    return ago.filter((agoMs) => agoMs < this.#limits.windowMs);
  }

  async #wait(signal: AbortSignal): Promise<Permit> {
    await this.#until(1, signal);
    return this.#grant();
  }

  async #until(count: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.now();
      this.#uses = this.#uses.filter((use) => use.doneAt === null || use.doneAt + this.#limits.windowMs > now);
      const open = this.#uses.filter((use) => use.doneAt === null).length;
      if (open >= this.#limits.atOnce) await this.#answer(signal);
      else if (this.#uses.length + count > this.#limits.perWindow) await this.#leave(now, signal);
      else return;
    }
  }

  #grant(): Permit {
    const use: Use = { doneAt: null };
    this.#uses.push(use);
    return {
      done: () => {
        use.doneAt ??= this.#clock.now();
        this.#wake();
      },
    };
  }

  /** Until a request in flight is answered. */
  #answer(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      this.#wake = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
    });
  }

  /** Until the oldest answered request has left the window; while none is answered, until one is. */
  #leave(now: number, signal: AbortSignal): Promise<void> {
    const doneAts = this.#uses.flatMap((use) => (use.doneAt === null ? [] : [use.doneAt]));
    if (doneAts.length === 0) return this.#answer(signal);
    return this.#clock.sleep(Math.max(1, Math.min(...doneAts) + this.#limits.windowMs - now), signal);
  }
}

/** The budgets of one target. Used for all its endpoints together, since a limit may be counted across them. */
export class Budgets {
  readonly #clock: Clock;
  readonly #table: LimitTable;
  readonly #byId = new Map<DocumentedBudgetId, Budget>();

  constructor(clock: Clock, table: LimitTable) {
    this.#clock = clock;
    this.#table = table;
  }

  take(id: DocumentedBudgetId, signal: AbortSignal): Promise<Permit> {
    return this.#budget(id).take(signal);
  }

  room(id: DocumentedBudgetId, count: number, signal: AbortSignal): Promise<void> {
    return this.#budget(id).room(count, signal);
  }

  /** What was spent of each so lately that it may still count, the latest first; nothing is said of the others. */
  lately(): Recent[] {
    const moments = new Map<number, Partial<Record<DocumentedBudgetId, number>>>();
    for (const [id, budget] of this.#byId) {
      for (const exactMs of budget.lately()) {
        const agoMs = Math.floor(exactMs / MOMENT_MS) * MOMENT_MS;
        const spends = moments.get(agoMs) ?? {};
        moments.set(agoMs, { ...spends, [id]: (spends[id] ?? 0) + 1 });
      }
    }
    return [...moments].map(([agoMs, spends]) => ({ agoMs, spends })).sort((a, b) => a.agoMs - b.agoMs);
  }

  #budget(id: DocumentedBudgetId): Budget {
    let budget = this.#byId.get(id);
    if (!budget) {
      budget = new Budget(allowanceOf(id, this.#table), this.#clock);
      this.#byId.set(id, budget);
    }
    return budget;
  }
}
