/** What all steps of a held-request probe share: what they leave behind, what they may still send, and how they wait. */
import { pause, within as withinTime } from '../../../execute/stopwatch.ts';
import type { Tries } from './amounts.ts';
import type { HeldRequest } from './request.ts';
import type { How, WaveContext, Waves } from './waves.ts';

const ANSWER_PATIENCE_MS = 60_000;
/** For one request by itself, before the waves: a target that never answers is found out soon enough. */
export const ALONE_PATIENCE_MS = 15_000;
/** The statuses with which limits refuse; a 403 may be about the key each time. */
export const REFUSALS: readonly number[] = [429, 420, 503, 509];
/** What an unanswered request is over with when it was only there to take a slot. */
export const DROPPED = 'dropped';

export interface Taken {
  readonly phase: string;
  readonly held: HeldRequest;
  /** Released before all others, so that its slot was free. */
  readonly freed?: boolean;
  /** Completed by itself while others were held, to see whether it is refused. */
  readonly alone?: boolean;
  /** Sent whole, at the same moment as others. */
  readonly whole?: boolean;
  /** Tries that this is the last of. */
  readonly attempts?: number;
}

export type Try = Omit<Taken, 'phase'>;

export interface Steps extends Pick<WaveContext, 'parameters' | 'sending' | 'jobId' | 'signal'> {
  readonly waves: Waves;
  readonly taken: Taken[];
  /** Sends the control requests, unless that was done too often already; false when they are not answered. */
  readonly control: () => Promise<boolean>;
  readonly tries: Tries;
  readonly progress: (done: number) => void;
}

export const isRefused = ({ outcome }: HeldRequest): boolean => REFUSALS.includes(outcome?.status ?? 0);

export async function wave(steps: Steps, phase: string, count: number, how: How = {}): Promise<HeldRequest[]> {
  const opened = await steps.waves.open(count, how);
  steps.taken.push(...opened.map((held) => ({ phase, held, whole: how.whole === true })));
  steps.progress(steps.waves.opened);
  return opened;
}

/** How many more may be opened: what was announced, and no more than the rate limit takes. */
export function room({ parameters: { most, rateLimit }, waves }: Steps): number {
  return Math.min(most ?? Number.POSITIVE_INFINITY, rateLimit ?? Number.POSITIVE_INFINITY) - waves.opened;
}

/**
 * Tries, of so many requests each, until one returns that it was the last. They must not run into the rate limit
 * instead: where only one try is left, it waits as long as all of them would have.
 * @param once gets the number of the try, from 1
 */
export async function tryUntil(
  steps: Steps,
  waitsMs: readonly number[],
  requests: number,
  once: (attempts: number) => Promise<boolean>,
): Promise<void> {
  for (const [index] of waitsMs.entries()) {
    const left = Math.floor(room(steps) / requests);
    if (left < 1) return;
    const waits = waitsMs.slice(index, left > 1 ? index + 1 : undefined);
    await pause(
      waits.reduce((sum, ms) => sum + ms, 0),
      steps.signal,
    );
    if (await once(index + 1)) return;
  }
}

/** Sends the last bytes and waits for the answers. */
export async function finish(
  requests: readonly HeldRequest[],
  { signal }: Steps,
  patienceMs = ANSWER_PATIENCE_MS,
): Promise<void> {
  for (const one of requests) one.release();
  await withinTime(Promise.all(requests.map((one) => one.settled)), patienceMs, signal);
  for (const one of requests) if (one.outcome === null) one.destroy('timeout');
}
