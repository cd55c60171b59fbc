/** Sizes of bodies as the planner, the senders and the analysis all reckon with them. Pure. */
import type { BodyEncoding } from '../../../../schemas/facts.ts';
import type { Addresses } from '../../../execute/requests.ts';
import { MOST_ATTEMPTS } from '../../../k6/lib/bisection.ts';
import { frameOf } from '../../../k6/lib/body.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { CONFIRMATIONS } from './confirm.ts';

/** The longer of the two words. */
const LONGEST: BodyEncoding = 'content-length';

/** What distinguishes the job of one body from that of every other. */
export function markOfBody(
  { operation }: Pick<PayloadParameters, 'operation'>,
  { bytes, encoding }: { readonly bytes: number; readonly encoding: BodyEncoding },
): string {
  return `${operation} ${encoding} ${bytes}`;
}

/** The range in which to search a border: the smallest body has to hold the workload's own job. */
export function rangeOf<P extends PayloadParameters>(parameters: P, addresses: Addresses): P {
  const { smallest } = frameOf(addresses, markOfBody(parameters, { bytes: parameters.capBytes, encoding: LONGEST }));
  return { ...parameters, floorBytes: Math.max(smallest, parameters.floorBytes) };
}

/** Both documented sizes and their neighbours, the ends of the range, and its bisection down to the byte. */
export function mostBodies({ capBytes, floorBytes }: Pick<PayloadParameters, 'capBytes' | 'floorBytes'>): number {
  return Math.min(MOST_ATTEMPTS, 6 + Math.ceil(Math.log2(capBytes - floorBytes)));
}

/** With a border found in another way, that and its neighbour are tried as well. */
const GUESSES = 2;
/** At most this many bodies that broke off are sent again: enough to find the cause. */
export const MOST_AGAIN = 3;
/** Rounds of follow-ups, each for three jobs: two of large bodies and one of a small body. */
export const MOST_FOLLOW_UPS = 20;
const FOLLOWED_JOBS = 3;
/** At the job of the first small body, where that of a large one is unknown. */
const EARLIER_FOLLOW_UPS = 1;

/** Requests of a whole probe, at most: bodies that may be large, and follow-ups. */
export function mostRequestsOfPayload(parameters: PayloadParameters): {
  readonly bodies: number;
  readonly followUps: number;
} {
  const search = mostBodies(parameters);
  const bodies = search + Math.min(MOST_ATTEMPTS, search + GUESSES) + 2 * MOST_AGAIN + CONFIRMATIONS + 1;
  return { bodies, followUps: parameters.followsUp ? MOST_FOLLOW_UPS * FOLLOWED_JOBS + EARLIER_FOLLOW_UPS : 0 };
}
