/**
 * Telling whoever asked for it that a job is over: exactly what status would answer then, posted until it is answered
 * with 200, but not for ever. All waiting goes through the clock; closing gives up whatever is still to be told.
 */
import type { Clock } from '../clock.ts';
import { type Job, record } from '../jobs/job.ts';
import type { Post } from './post.ts';

export interface WebhookSettings {
  readonly webhookTries: number;
  /** Between two tries, milliseconds. */
  readonly webhookPauseMs: number;
}

/** Longest wait for an answer. */
const ANSWER_MS = 10_000;
const TOLD = 200;

export class Webhooks {
  readonly #settings: WebhookSettings;
  readonly #clock: Clock;
  readonly #post: Post;
  /** One for each address still to be told. */
  readonly #open = new Set<AbortController>();

  constructor(settings: WebhookSettings, clock: Clock, post: Post) {
    this.#settings = settings;
    this.#clock = clock;
    this.#post = post;
  }

  /** Tells each address once `ended` resolves, which it does when the job is final; it rejects on the signal. */
  follow(job: Job, ended: (closed: AbortSignal) => Promise<void>, urls: readonly string[]): void {
    for (const url of urls) void this.#tell(job, ended, url);
  }

  close(): void {
    for (const one of this.#open) one.abort(new Error('the service is closed'));
  }

  async #tell(job: Job, ended: (closed: AbortSignal) => Promise<void>, url: string): Promise<void> {
    const stop = new AbortController();
    this.#open.add(stop);
    try {
      await ended(stop.signal);
      const body = JSON.stringify(record(job));
      for (let tried = 1; !(await this.#accepted(url, body, stop.signal)); tried += 1) {
        if (tried >= this.#settings.webhookTries) return;
        await this.#clock.sleep(this.#settings.webhookPauseMs, stop.signal);
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      this.#open.delete(stop);
    }
  }

  /** One try. No answer, a late one and any status but 200 are all the same. */
  async #accepted(url: string, body: string, closed: AbortSignal): Promise<boolean> {
    closed.throwIfAborted();
    const over = new AbortController();
    const onClosed = (): void => over.abort(closed.reason);
    closed.addEventListener('abort', onClosed, { once: true });
    try {
      const late = this.#clock.sleep(ANSWER_MS, over.signal).then(() => null);
      return (await Promise.race([this.#post(url, body, over.signal), late])) === TOLD;
    } catch {
      closed.throwIfAborted();
      return false;
    } finally {
      closed.removeEventListener('abort', onClosed);
      over.abort();
    }
  }
}
