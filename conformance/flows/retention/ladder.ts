/**
 * Looks at doubling ages, each at a job that nobody has asked for since it ended, with a younger job as a witness: when
 * the old one is gone and the witness is there, nothing else than its age can have been the reason.
 */
import type { CheckContext } from '../../context.ts';
import type { Aging } from './aging.ts';
import type { Step } from './cohort.ts';

export interface Ladder {
  /** One job for each age, all ended. */
  readonly steps: readonly Step[];
  /** When the last of them ended at the latest. */
  readonly sinceMs: number;
  /** A job that was known before they were looked at first. */
  readonly witness: Aging;
  /** No step later than this. */
  readonly untilMs: number;
  /** A new job. */
  readonly make: () => Promise<Aging>;
}

/**
 * `lost`: one was gone while the witness was there · `unsure`: both were gone · `kept`: none was gone. `witness` was
 * known before the last step was looked at.
 */
export interface Climbed {
  readonly end: 'lost' | 'unsure' | 'kept';
  readonly witness: Aging;
}

export async function climb(t: CheckContext, ladder: Ladder): Promise<Climbed> {
  const { steps, sinceMs, untilMs, make } = ladder;
  let { witness } = ladder;
  for (const [index, { ageMs, aging }] of steps.entries()) {
    const next = steps[index + 1];
    // Where a load kept us from looking, the oldest age of those that are over is the one that tells most.
    if (next && sinceMs + next.ageMs <= t.clock.now()) continue;
    if (Math.max(sinceMs + ageMs, t.clock.now()) > untilMs) break;
    await t.sleep(sinceMs + ageMs - t.clock.now());
    // Made before the look, so that at every moment one of the witnesses was known.
    const younger = await make();
    const seen = await aging.look();
    const told = await witness.look();
    if (seen.answer === 'gone') return { end: told.answer === 'there' ? 'lost' : 'unsure', witness: younger };
    witness = younger;
  }
  return { end: 'kept', witness };
}
