/** One job while it ages: every look at it is kept, also one that was not answered. */
import type { RetentionJob, RetentionLook } from '../../../schemas/retention.ts';
import { hasOutput, jobIdOf, stateOf } from '../../reading/job.ts';

import { isRefusal } from '../../reading/refusal.ts';
import type { Clock } from '../../target/clock.ts';
import { describe, isOk, type Reply } from '../../target/reply.ts';
import { Inconclusive, TargetFailure } from '../../target/signals.ts';
import type { Left } from './ended.ts';

/** Refusals that put it on the key, not on the job. */
const KEY_REASONS = [401, 402, 403];

export interface Sighting extends RetentionLook {
  /** What was seen, for people. */
  readonly words: string;
  /** null where there was no answer. */
  readonly reply: Reply | null;
}

/** A success without anything of a job in it is no record of one. */
export function answerAbout(id: string, reply: Reply): RetentionLook['answer'] {
  const { json } = reply;
  if (isOk(reply)) {
    const tells = stateOf(json) !== 'unknown' || jobIdOf(json) === id || hasOutput(json);
    return tells ? 'there' : 'gone';
  }
  return isRefusal(reply) && !KEY_REASONS.includes(reply.status) ? 'gone' : 'unclear';
}

export class Aging {
  readonly name: string;
  readonly job: Left;
  readonly #clock: Clock;
  readonly #untouched: boolean;
  readonly #looks: Sighting[] = [];

  constructor(name: string, job: Left, clock: Clock, untouched = true) {
    this.name = name;
    this.job = job;
    this.#clock = clock;
    this.#untouched = untouched;
  }

  get id(): string {
    return this.job.id;
  }

  /** Asks for its status. A request that is not answered is a look that saw nothing; rejects when interrupted. */
  async look(): Promise<Sighting> {
    const sentMs = this.#clock.now();
    try {
      return this.saw(await this.job.jobs.status(this.id));
    } catch (error) {
      if (!(error instanceof TargetFailure || error instanceof Inconclusive)) throw error;
      return this.#keep({ sentMs, endMs: this.#clock.now(), answer: 'unclear', words: error.message, reply: null });
    }
  }

  /** Keeps an answer of status that was got elsewhere. */
  saw(reply: Reply): Sighting {
    const { sentMs, endMs } = reply;
    return this.#keep({ sentMs, endMs, answer: answerAbout(this.id, reply), words: describe(reply), reply });
  }

  /** Times are ms since `zeroMs`. */
  record(zeroMs: number): RetentionJob {
    const { reply, earliestMs, latestMs } = this.job;
    return {
      name: this.name,
      untouched: this.#untouched,
      knownMs: reply.endMs - zeroMs,
      endedFromMs: earliestMs - zeroMs,
      endedToMs: latestMs === null ? null : latestMs - zeroMs,
      looks: this.#looks.map(({ sentMs, endMs, answer }) => ({
        sentMs: sentMs - zeroMs,
        endMs: endMs - zeroMs,
        answer,
      })),
    };
  }

  #keep(sighting: Sighting): Sighting {
    this.#looks.push(sighting);
    return sighting;
  }
}
