/**
 * Endpoints whose workers have stopped starting jobs. Every check that waits for a job would wait in vain for all its
 * patience: that is found out once, and then ends each such wait.
 */
import { setMaxListeners } from 'node:events';
import { isFinal, type JobState } from '../../schemas/job-answer.ts';
import { awaitsJobs, type DocumentedOperationId, mayHold } from '../../schemas/operations.ts';
import { Inconclusive } from './signals.ts';

// Operations that no longer respond at all. Every request to one that hangs costs its whole timeout, and there are
// many: after a few in a row without a response, later requests are not sent. Those few have recorded what is wrong;
// the other checks are inconclusive.

const ENOUGH = 3;

export class Silence {
  readonly #inARow = new Map<DocumentedOperationId, number>();

  /** @throws Inconclusive when the operation no longer responds. */
  requireVoice(id: DocumentedOperationId): void {
    const count = this.#inARow.get(id) ?? 0;
    if (count < ENOUGH) return;
    throw new Inconclusive(
      `${id} did not respond to ${count} requests in a row, so no more were sent`,
      'see the checks that got no response, and whether the target is up',
    );
  }

  answered(id: DocumentedOperationId): void {
    this.#inARow.delete(id);
  }

  /** A request without anything wrong in it that got no HTTP answer. */
  unanswered(id: DocumentedOperationId): void {
    this.#inARow.set(id, (this.#inARow.get(id) ?? 0) + 1);
  }
}

/** Longer than the input of any check makes a job run. */
const STANDSTILL_MS = 25_000;
/**
 * Jobs that may be running, except those that were last seen in the queue: each takes as long as the quickest one took.
 */
const RUNNING = 3;
/**
 * Each queued job is looked at all the same, and one gets this long, so long after the one before it: the first that
 * starts ends the standstill, and what needs no worker is to have most of the time.
 */
const LEAST_MS = 2000;
const TRIED_EVERY_MS = 10_000;

const STARTED: readonly JobState[] = ['running', 'completed', 'failed'];
const WAITING: readonly DocumentedOperationId[] = ['status', 'status-sync', 'stream'];

interface Job {
  readonly instId: string;
  readonly jobId: string;
}

export class Standstill {
  /** When a job was first seen in the queue. */
  readonly #queuedMs = new Map<string, number>();
  readonly #startedMs = new Map<string, number>();
  /** When a job was last seen there. */
  readonly #lastMs = new Map<string, number>();
  /** When a job was first seen, or submitted to an operation that awaits its end. */
  readonly #sinceMs = new Map<string, number>();
  /** Up to its end, of the quickest job that ended so. One that fails may do so at once, and the others not. */
  readonly #quickestMs = new Map<JobState, number>();
  /** Of each endpoint: aborted while it stands still. */
  readonly #ends = new Map<string, AbortController>();
  /** Endpoints on which a job has ended: where none has, those that started may still occupy the workers. */
  readonly #ending = new Set<string>();
  /** The first standstill of the run that is not the jobs' doing, as text; null where there was none. */
  words: string | null = null;
  #foundMs = 0;
  /** The job that is waited for all the same, and since when. */
  #tried = { key: '', sinceMs: Number.NEGATIVE_INFINITY };

  /** Jobs of an endpoint that were last seen in the queue, and stood there when nothing had started for so long. */
  stuck(instId: string): readonly string[] {
    const ofEndpoint = keyOf(instId, '');
    return [...this.#queuedMs.keys()]
      .filter((key) => key.startsWith(ofEndpoint) && (this.#lastMs.get(key) ?? 0) >= this.#foundMs)
      .map((key) => key.slice(ofEndpoint.length));
  }

  /** Whether the endpoint starts nothing, as far as is known. */
  isAt(instId: string): boolean {
    return this.#ends.get(instId)?.signal.aborted === true;
  }

  /**
   * What a response says about a job.
   * @param firstMs since when it is certainly there
   */
  see({ instId, jobId }: Job, state: JobState, nowMs: number, firstMs = nowMs): void {
    const key = keyOf(instId, jobId);
    const queuedMs = this.#queuedMs.get(key);
    // One that was cancelled may have been taken out of the queue.
    if (isFinal(state) && state !== 'cancelled') this.#ending.add(instId);
    if (!this.#sinceMs.has(key)) this.#sinceMs.set(key, firstMs);
    if (isFinal(state)) this.#learn(state, nowMs - (this.#sinceMs.get(key) ?? nowMs));
    if (state !== 'queued') {
      this.#queuedMs.delete(key);
      // That an old job has ended shows nothing.
      if (!STARTED.includes(state) || (queuedMs === undefined && state !== 'running')) return;
      this.#startedMs.set(instId, nowMs);
      if (this.isAt(instId)) this.#ends.delete(instId);
      return;
    }
    if (queuedMs === undefined) this.#queuedMs.set(key, nowMs);
    this.#lastMs.set(key, nowMs);
    const sinceMs = Math.max(queuedMs ?? nowMs, this.#startedMs.get(instId) ?? 0);
    if (nowMs - sinceMs < this.#stillMs(instId)) return;
    if (this.isAt(instId)) return;
    if (this.words === null && (this.#ending.has(instId) || !this.#startedMs.has(instId))) {
      this.words = this.#wordsOf(instId);
      this.#foundMs = nowMs;
    }
    this.#tried = { key: '', sinceMs: nowMs };
    this.#endsOf(instId).abort(this.#vain(instId));
  }

  /**
   * What ends a response that the service may hold until a job has ended, with the same reason; null for others.
   *
   * @throws Inconclusive where the operation would wait for a worker of an endpoint that starts nothing.
   */
  requireMove(id: DocumentedOperationId, { instId, jobId }: Job, nowMs: number): AbortSignal | null {
    if (!this.isAt(instId)) return mayHold(id) ? this.#endsOf(instId).signal : null;
    const key = keyOf(instId, jobId);
    const waits = WAITING.includes(id) && this.#queuedMs.has(key) && (mayHold(id) || !this.#mayLook(key, nowMs));
    if (waits || awaitsJobs(id)) throw this.#vain(instId);
    return null;
  }

  #mayLook(key: string, nowMs: number): boolean {
    const queuedMs = this.#queuedMs.get(key) ?? 0;
    if (queuedMs === this.#lastMs.get(key) && nowMs - queuedMs < LEAST_MS) return true;
    if (nowMs - this.#tried.sinceMs >= TRIED_EVERY_MS) this.#tried = { key, sinceMs: nowMs };
    return this.#tried.key === key && nowMs - this.#tried.sinceMs < LEAST_MS;
  }

  /** As long as a response may be held for a job, where jobs are known to start and to end; else Infinity. */
  holdsAtMostMs(id: DocumentedOperationId, instId: string): number {
    const isKnown = mayHold(id) && this.#usualMs() > 0 && !this.isAt(instId);
    return isKnown ? this.#stillMs(instId) : Number.POSITIVE_INFINITY;
  }

  #learn(state: JobState, tookMs: number): void {
    if (tookMs > 0) this.#quickestMs.set(state, Math.min(this.#quickestMs.get(state) ?? tookMs, tookMs));
  }

  /** 0 while none is known. */
  #usualMs(): number {
    return this.#quickestMs.get('completed') ?? this.#quickestMs.get('failed') ?? 0;
  }

  /** A worker may be busy with any job that was last seen in the queue. */
  #stillMs(instId: string): number {
    const queued = [...this.#queuedMs.keys()].filter((key) => key.startsWith(keyOf(instId, ''))).length;
    return STANDSTILL_MS + (RUNNING + queued) * this.#usualMs();
  }

  #wordsOf(instId: string): string {
    return `no queued job on ${instId} has started for ${STANDSTILL_MS / 1000} s or more`;
  }

  #vain(instId: string): Inconclusive {
    const remedy = 'see run.answers.started, and whether the endpoint has workers that can run';
    return new Inconclusive(this.#wordsOf(instId), remedy);
  }

  #endsOf(instId: string): AbortController {
    const known = this.#ends.get(instId) ?? new AbortController();
    this.#ends.set(instId, known);
    // As many listen to it as are held.
    setMaxListeners(0, known.signal);
    return known;
  }
}

const keyOf = (instId: string, jobId: string): string => `${instId} ${jobId}`;
