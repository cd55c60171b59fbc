/** Facts of growing bodies on interface A -> what is recorded of them: nothing is documented, so nothing is judged. */
import type { InferencePayloadFacts } from '../../../schemas/facts.ts';
import { type Claim, holds, unclear } from '../../verdicts/claim.ts';
import { brokenLedger } from '../../verdicts/evidence.ts';
import { sidesOf } from './sides.ts';
import { attemptText, bytesText } from './words.ts';

export function judgeInferencePayload(facts: InferencePayloadFacts): Claim {
  const expected = `the largest body that is taken, looked for up to ${bytesText(facts.capBytes)}`;
  const [side] = sidesOf(facts);
  const fault = brokenLedger(facts.health);
  const [smallest] = side?.attempts ?? [];
  if (!side || !smallest || fault) return unclear(expected, 'nothing', fault ?? 'no body was sent');
  if (!side.taken) return unclear(expected, attemptText(smallest), 'not even a small body was accepted');
  const { border } = side;
  if (!border) return unclear(expected, 'mixed', 'accepted and refused sizes are mixed, so size is not the cause');
  const last = side.attempts[side.attempts.length - 1];
  if (last?.outcome === 'other' || last?.outcome === 'unanswered') {
    return unclear(expected, attemptText(last), 'this is neither an acceptance nor a refusal for the size');
  }
  if (border.upper === null) return holds(expected, `all were accepted, up to ${bytesText(border.lower)}`);
  const refusal = side.attempts.find(({ bytes }) => bytes === (border.upper ?? 0) + 1);
  return holds(
    expected,
    `accepted up to ${bytesText(border.lower)}, refused from ${bytesText(border.upper + 1)} on` +
      `${refusal ? ` (${attemptText(refusal)})` : ''}; padded with spaces, which are no tokens`,
  );
}
