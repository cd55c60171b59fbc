/** Claims on the form of refusals, and on what they and fields of answers announce (convention): whether that is what was measured. */
import type { Obeyed, RateFacts } from '../../../schemas/rate-facts.ts';
import { grouped } from '../../../schemas/thousands.ts';
import { broken, type Claim, holds, inconclusive, noted } from '../../verdicts/claim.ts';
import { statusText } from '../../verdicts/evidence.ts';
import { seconds } from './survivors.ts';

export function judgeRetryAfter({ announced: { retryAfter } }: RateFacts, refused: number): Claim {
  const expected = 'admitted after the time in Retry-After';
  if (refused === 0) return inconclusive(expected, 'no refusal', 'nothing was refused');
  if (retryAfter.announced === 0) return noted(expected, 'no refusal had a Retry-After that can be read');
  const lie = refusedAgain(retryAfter);
  const seen = grouped`of ${retryAfter.announced} refusals with it, ${retryAfter.letIn} were admitted then`;
  if (lie) return broken(expected, `${lie}; ${seen}`);
  return retryAfter.letIn > 0 ? holds(expected, seen) : noted(expected, `${seen}: nothing was sent at that time`);
}

/** Undefined where every client that obeyed was let in. */
function refusedAgain({ refused, first }: Obeyed): string | undefined {
  if (!first) return undefined;
  return grouped`${refused} refused again, the first at ${seconds(first.atMs)}: ${seconds(first.waitMs)} were said, and ${seconds(first.afterMs)} later it was refused`;
}

/** RateLimit fields of any dialect. */
export function judgeFields({ announced, survivors }: RateFacts): Claim {
  const expected = 'RateLimit fields match the enforced limit';
  const { reset, left, policies } = announced;
  const fields = announced.fields.filter((name) => name !== 'retry-after');
  if (fields.length === 0) return noted(expected, 'no RateLimit fields');
  const lies = [
    ...(left.refusals > 0 ? [grouped`${left.refusals} refusals stated remaining requests, up to ${left.most}`] : []),
    ...(refusedAgain(reset) ? [`after the reset ${refusedAgain(reset)}`] : []),
    ...(policies.length > 0 && survivors.length > 0 && !policies.some((one) => isEnforced(one, survivors))
      ? [`they state ${policies.map(policyText).join(' and ')}, which differs from the measured limit`]
      : []),
  ];
  const seen = [fields.join(', '), ...policies.map(policyText)].join('; ');
  if (lies.length > 0) return broken(expected, `${lies.join('; ')}; seen: ${seen}`);
  if (survivors.length === 0) return inconclusive(expected, seen, 'the enforced limit is unknown');
  return holds(expected, seen);
}

type Policy = RateFacts['announced']['policies'][number];

const policyText = ({ quota, windowMs }: Policy): string =>
  windowMs === undefined ? grouped`${quota}` : grouped`${quota} per ${seconds(windowMs)}`;

/** Fields have whole seconds. */
const HALF_SECOND_MS = 500;

const isEnforced = ({ quota, windowMs }: Policy, survivors: RateFacts['survivors']): boolean =>
  survivors.some(({ value, windowMs: own }) => {
    const isWindow =
      windowMs === undefined || (own.lower <= windowMs + HALF_SECOND_MS && windowMs - HALF_SECOND_MS <= own.upper);
    return value.lower <= quota && quota <= value.upper && isWindow;
  });

/** The form of a refusal is convention: 429, with a Retry-After. */
export function refusalForm(refusals: RateFacts['refusals'], refused: number): Claim {
  const expected = '429 with Retry-After';
  const seen = grouped`${statusText(refusals.statuses)}; Retry-After on ${refusals.withRetryAfter}`;
  if (refused === 0) return inconclusive(expected, 'no refusal', 'nothing was refused, so its form was not seen');
  const all = Object.values(refusals.statuses).reduce((sum, count) => sum + count, 0);
  const only429 = Object.keys(refusals.statuses).every((status) => status === '429');
  return only429 && refusals.withRetryAfter === all ? holds(expected, seen) : broken(expected, seen);
}
