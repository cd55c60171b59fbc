/**
 * Whether cut connections are a refusal of large bodies. A road on which connections break cuts some at random, or all
 * for a while, and a target that restarts cuts those of the moment; only a size cuts the same ones each time.
 */
import type { PayloadAttempt, PayloadFacts } from '../../../schemas/facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';

/** Of one size, told in one way. Of connections of which one in ten breaks, one in a thousand such sizes fares so. */
const CUTS = 3;

/** Why cut connections may not be due to the size, or undefined where they can be due to nothing else. */
export function doubtOfCut(refusal: PayloadAttempt, { attempts, health }: PayloadFacts): string | undefined {
  // What is missing may be how such a body was taken when it was sent once more.
  const fault = brokenLedger(health);
  if (fault) return fault;
  const isOwn = ({ bytes, encoding }: PayloadAttempt) => bytes === refusal.bytes && encoding === refusal.encoding;
  const at = attempts.flatMap((one, index) => (isOwn(one) ? [index] : []));
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  if (at.length < CUTS) return grouped`it was cut ${at.length} times only, which an unstable network may cause too`;
  const others = otherCuts(attempts, health.unanswered);
  if (others > 0)
    return grouped`${others} requests that were not large got no answer either, so connections break here`;
  const lasted = (from: number, to: number): boolean =>
    attempts.slice(from, to).some((one) => one.outcome === 'accepted' && one.bytes < refusal.bytes);
  return lasted(first, last) && lasted(last, attempts.length)
    ? undefined
    : grouped`between these ${at.length} cuts and afterwards no smaller body was accepted, so the size may not be the cause`;
}

/** Small bodies, and whatever else was asked. */
function otherCuts(attempts: readonly PayloadAttempt[], unanswered: number): number {
  const smallest = attempts.reduce((least, { bytes }) => Math.min(least, bytes), Number.POSITIVE_INFINITY);
  return unanswered - attempts.filter(({ status, bytes }) => status === 0 && bytes > smallest).length;
}
