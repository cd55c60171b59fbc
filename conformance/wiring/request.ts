/** One request of the connection check; its failures are messages that name the option to change. */
import { median } from '../../schemas/median.ts';
import type { InterfaceId } from '../../schemas/operations.ts';
import { UsageError } from '../../schemas/target.ts';
import { Evidence } from '../target/evidence.ts';
import { describe, type Reply } from '../target/reply.ts';
import { TargetFailure } from '../target/signals.ts';
import type { Target, TargetRequest } from '../target/target.ts';

const NAMES = {
  inference: { address: '--base-url', key: 'PROOFLOAD_ACCESS_KEY', title: 'interface A' },
  jobs: { address: '--job-base-url', key: 'PROOFLOAD_JOB_KEY', title: 'interface B' },
} as const;

/** What a TLS client says of an answer that is none of TLS. */
const PLAIN_HTTP = /WRONG_VERSION_NUMBER|wrong version number|packet length too long/i;

/** Where a first request failed already, the second gets a short timeout. */
export const SECOND_OPINION_MS = 5000;

/** Where something else at the same address responds, this is a fault of the service. */
export class NoResponse extends UsageError {}

export type Send = (one: Omit<TargetRequest, 'interface'>) => Promise<Reply>;

/**
 * A function that sends requests to one interface.
 *
 * @param keyed whether it must not reject the credentials; gateways respond 403 on paths that they don't know
 * @throws UsageError where nothing responds, where the response is no HTTP, and where the credentials are rejected.
 */
export function senderFor(target: Target, side: InterfaceId, signal: AbortSignal, keyed = true): Send {
  const { address, key, title } = NAMES[side];
  const where = target.address(side);
  return async (one) => {
    const request: TargetRequest = { ...one, interface: side, expects429: true };
    let reply: Reply;
    try {
      reply = await target.exchange(request, new Evidence(), signal);
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error;
      const why = target.masker.text(error.fact.observed);
      if (PLAIN_HTTP.test(why) && where !== null) {
        const plain = where.replace(/^https:/, 'http:');
        throw new UsageError(`${title} answers plain HTTP, not TLS, at ${where}; set ${address} ${plain}`);
      }
      throw new NoResponse(`${title} does not answer at ${where}: ${why}; check ${address}`);
    }
    if (keyed && (reply.status === 401 || reply.status === 403)) {
      const how = target.hasKey(side) ? 'rejected the key' : 'requires a key';
      throw new UsageError(`${title} at ${where} ${how} (${reply.status}); set ${key}`);
    }
    return reply;
  };
}

/** For a question whose being unanswered is an answer too: null for complaints of that kind; all else is thrown on. */
export const nullFor =
  (kind: typeof UsageError) =>
  (error: unknown): null => {
    if (error instanceof kind) return null;
    throw error;
  };

/** Of any complaint about the target. */
export const notAnswered = nullFor(UsageError);

/** What answered is something else than the documented service. */
export function unfit(target: Target, side: InterfaceId, what: string, reply: Reply): UsageError {
  const { address, title } = NAMES[side];
  const observed = target.masker.text(describe(reply));
  return new UsageError(
    `what answers at ${target.address(side)} is not ${title}: ${what}\n` +
      `${reply.request} answered ${observed}; check ${address}`,
  );
}

/** Median of so many answers to the same question, ms. Rejects as the question does. */
export async function roundTripOf(question: () => Promise<Reply>, samples: number): Promise<number> {
  const trips: number[] = [];
  while (trips.length < samples) {
    const { sentMs, endMs } = await question();
    trips.push(endMs - sentMs);
  }
  return median(trips);
}
