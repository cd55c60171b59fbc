/**
 * What the suite may send in all: as much as `plan` announces, and not one request more. The operator of a shared
 * endpoint was given that number, so when it is used up, the remaining checks are inconclusive. One check that waits
 * for what never happens must not cost the others their verdicts: each may take what was announced for it, and a part
 * of what is left over.
 */
import type { Amount } from '../../schemas/results.ts';
import { Inconclusive } from './signals.ts';

export interface Announced extends Amount {
  /** Requests of these that are kept for cleaning up. */
  readonly reserve: number;
}

/** What one check, or one shared thing, has sent. */
export interface Share extends Amount {
  readonly cleanUps: number;
}

/** Requests of one check. */
export interface Part {
  /** What it may take in any case, with all the shared things it may have to make. */
  readonly most: number;
  /** What it needs where nothing is slow: kept for it until it has taken it. */
  readonly kept: number;
}

/** Who sends: a check, and the shared thing that it makes; no name where it is its own. */
export interface Sender {
  readonly check: string;
  readonly shared: string;
}

const NOTHING: Share = { requests: 0, bytes: 0, cleanUps: 0 };
const NO_PART: Part = { most: 0, kept: 0 };
/** Of what is left over, a check may take one part in so many beyond its own; in fewer, where fewer are left. */
const BEYOND = 4;
/** So many of those who sent most are named. */
const NAMED = 3;

const LEAVE_OUT = 'see what those checks wait for, or run the others without them (--only)';
const FEWER = 'run fewer checks at a time with --only';

export class Allowance {
  readonly #byOwner = new Map<string, Share>();
  readonly #byCheck = new Map<string, number>();
  #most: Announced | null = null;
  #parts: ReadonlyMap<string, Part> = new Map();
  /** Checks that have not ended. */
  readonly #open = new Set<string>();
  #requests = 0;
  #bytes = 0;

  /** From now on no more than this is sent; with parts, no more than its part and some by each check. */
  limit(most: Announced, parts: ReadonlyMap<string, Part> = new Map()): void {
    this.#most = most;
    this.#parts = parts;
    for (const check of parts.keys()) this.#open.add(check);
  }

  /** A check has ended: what was kept for it is for the others now. */
  over(check: string): void {
    this.#open.delete(check);
  }

  get sent(): Amount {
    return { requests: this.#requests, bytes: this.#bytes };
  }

  /** Who sent how much: shared things under their own name, all checks under none. */
  get byOwner(): ReadonlyMap<string, Share> {
    return this.#byOwner;
  }

  /**
   * Counts a request that is about to be sent. One that cleans up is counted, too, but never held back.
   *
   * @throws Inconclusive when it would be more than was announced, or more than this check may take of it.
   */
  take(bytes: number, { check, shared }: Sender, cleansUp: boolean): void {
    if (!cleansUp) this.#requireRoom(bytes, check);
    this.#requests += 1;
    this.#bytes += bytes;
    const own = this.#byOwner.get(shared) ?? NOTHING;
    const one = cleansUp ? { requests: 0, cleanUps: 1 } : { requests: 1, cleanUps: 0 };
    this.#byOwner.set(shared, {
      requests: own.requests + one.requests,
      bytes: own.bytes + bytes,
      cleanUps: own.cleanUps + one.cleanUps,
    });
    if (!cleansUp) this.#byCheck.set(check, this.#spent(check) + 1);
  }

  #requireRoom(bytes: number, check: string): void {
    if (this.#most === null) return;
    const { requests, bytes: mostBytes, reserve } = this.#most;
    const left = requests - reserve - this.#requests;
    if (this.#bytes + bytes > mostBytes) throw new Inconclusive(`the planned ${mostBytes} bytes have been sent`, FEWER);
    if (left < 1) throw this.#refusal(`the planned ${requests} requests have been sent`);
    const part = this.#parts.get(check);
    if (part === undefined) return;
    const beyond = Math.max(0, this.#spent(check) - part.most);
    const isOwn = this.#spent(check) < part.most;
    const spare = left - this.#kept() + beyond;
    if (isOwn || beyond + 1 <= spare / Math.min(BEYOND, this.#open.size)) return;
    throw this.#refusal(`the requests planned for ${check} have been sent (${requests} in all)`);
  }

  #spent(check: string): number {
    return this.#byCheck.get(check) ?? 0;
  }

  /** What the checks that have not ended still need, where nothing is slow. */
  #kept(): number {
    const needs = [...this.#open].map((check) => (this.#parts.get(check) ?? NO_PART).kept - this.#spent(check));
    return needs.reduce((all, need) => all + Math.max(0, need), 0);
  }

  #refusal(what: string): Inconclusive {
    const named = [...this.#byCheck].filter(([check]) => check !== '').sort(([, one], [, other]) => other - one);
    const first = named.slice(0, NAMED);
    if (first.length === 0) return new Inconclusive(what, FEWER);
    const greedy = first.some(([check, spent]) => spent > (this.#parts.get(check) ?? NO_PART).most);
    const spent = first.map(([check, count]) => `${check} spent ${count}`).join(', ');
    return new Inconclusive(`${what}: ${spent} of them`, greedy ? LEAVE_OUT : FEWER);
  }
}
