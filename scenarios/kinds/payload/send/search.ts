/**
 * The search for the largest body that is taken, with one way of telling a body's end: which sizes follow one another,
 * and what is sent twice. Who sends them, and what stands in them, is the caller's.
 */
import type { BodyEncoding, PayloadOutcome } from '../../../../schemas/facts.ts';
import { type Attempt, nextSize, type Sizes } from '../../../k6/lib/bisection.ts';
import { fateOf } from './outcome.ts';
import { MOST_AGAIN } from './sizes.ts';

/** One body to send. */
export interface Sized {
  readonly phase: 'try' | 'again' | 'between' | 'control';
  readonly bytes: number;
  readonly encoding: BodyEncoding;
}

export type SendSized = (one: Sized) => Promise<PayloadOutcome>;

/** A cut connection is tried again at once, so that the search goes on from what became of it. Rejects as `send` does. */
export async function searchSizes(encoding: BodyEncoding, sizes: Sizes, send: SendSized): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  let again = 0;
  for (let bytes = nextSize(attempts, sizes); bytes !== null; bytes = nextSize(attempts, sizes)) {
    let outcome = await send({ phase: 'try', bytes, encoding });
    if (outcome === 'reset' && again < MOST_AGAIN) {
      again += 1;
      outcome = await send({ phase: 'again', bytes, encoding });
    }
    attempts.push({ bytes, fate: fateOf(outcome) });
  }
  return attempts;
}
