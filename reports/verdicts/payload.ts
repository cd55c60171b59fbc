/** Facts of a payload probe -> claims (design part 5, payload). Between the two readings of a megabyte nothing is judged. */
import type { PayloadFacts } from '../../schemas/facts.ts';
import type { PayloadLimit } from '../../schemas/limits.ts';
import { broken, type Claim, holds, unclear } from './claim.ts';
import { generatorFault } from './evidence.ts';
import { measurePayload } from './measure.ts';

type Attempt = PayloadFacts['attempts'][number];

const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;

export function judgePayload(facts: PayloadFacts, limit: PayloadLimit): Record<string, Claim> {
  const mustAccept = `a body of ${bytes(facts.acceptBytes)} accepted`;
  const mustRefuse = `a body of ${bytes(facts.refuseBytes)} refused`;
  return {
    [`${limit.id}.guarantee`]: judge(facts, facts.acceptBytes, mustAccept, 'accepted'),
    [`${limit.id}.enforced`]: judge(facts, facts.refuseBytes, mustRefuse, 'refused'),
    [`${limit.id}.refusal`]: cleanRefusal(facts),
  };
}

function judge(facts: PayloadFacts, size: number, expected: string, wanted: 'accepted' | 'refused'): Claim {
  const attempt = facts.attempts.find((one) => one.bytes === size);
  if (!attempt) {
    return unclear(expected, 'not reached', generatorFault(facts.health) ?? 'the probe stopped before this size');
  }
  const measured = measurePayload(facts);
  const border = measured
    ? `; the border lies ${measured.upper === null ? 'above' : 'at'} ${bytes(measured.lower)}`
    : '';
  const seen = `${describe(attempt)}${border}`;
  if (attempt.outcome === 'other')
    return unclear(expected, seen, 'this answer is neither an acceptance nor a size refusal');
  const accepted = attempt.outcome === 'accepted';
  if (accepted === (wanted === 'accepted')) {
    // One reset proves no limit: a larger body that got through shows that the connection was the cause.
    return measured || accepted
      ? holds(expected, seen)
      : unclear(expected, seen, 'larger bodies were accepted, so size was not the cause');
  }
  if (accepted) return broken(expected, seen);
  return measured
    ? broken(expected, seen)
    : unclear(expected, seen, 'accepted and refused sizes are mixed, so size is not the cause');
}

function describe(attempt: Attempt): string {
  const how = {
    accepted: `answered ${attempt.status}`,
    refused: `refused with ${attempt.status}`,
    reset: 'the connection was reset while sending',
    other: attempt.status === 0 ? `no answer (${attempt.error})` : `answered ${attempt.status}`,
  };
  return `${bytes(attempt.bytes)}: ${how[attempt.outcome]}`;
}

function cleanRefusal(facts: PayloadFacts): Claim {
  const expected = '413 or 400';
  const refusals = facts.attempts.filter((one) => one.outcome === 'refused' || one.outcome === 'reset');
  if (refusals.length === 0) return unclear(expected, 'no refusal', 'no body was refused, so its form was not seen');
  const resets = refusals.filter((one) => one.outcome === 'reset');
  const seen = [...new Set(refusals.map((one) => (one.outcome === 'reset' ? 'reset' : String(one.status))))].join(', ');
  return resets.length === 0
    ? holds(expected, seen)
    : broken(expected, `${seen}; ${resets.length} of ${refusals.length} by reset`);
}
