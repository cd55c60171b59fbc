/**
 * How large a body interface A takes, which is not documented: a short chat whose JSON is made longer by spaces, which
 * JSON readers ignore and which cost no tokens. Doubled until it is refused or a few megabytes are reached, then
 * halved.
 */
import type { SenderEnvironment, Sending } from '../../../execute/environment.ts';
import { begun } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { type Attempt, border } from '../../../k6/lib/bisection.ts';
import type { InferencePayloadParameters } from '../../../probe.ts';
import { sendLargeBody, spacedPieces } from './large-body.ts';
import { fateOf, payloadOutcome } from './outcome.ts';

/** Returns the ledger; without its `end` mark when the signal was aborted. */
export async function sendInferencePayload(
  parameters: InferencePayloadParameters,
  sending: Sending,
  { signal, progress }: SenderEnvironment,
): Promise<string> {
  const all = begun();
  const request = outgoing(sending.addresses, parameters.operation);
  const json = request.body ?? '{}';
  const range = { ...parameters, floorBytes: Math.max(parameters.floorBytes, Buffer.byteLength(json)) };
  const attempts: Attempt[] = [];
  return all.during(signal, async () => {
    for (let bytes = nextCoarse(attempts, range); bytes !== null; bytes = nextCoarse(attempts, range)) {
      const pieces = spacedPieces(json, bytes);
      const body = { phase: 'try', request, pieces, bytes, encoding: 'content-length', seen: () => null } as const;
      const answer = await sendLargeBody(body, sending, signal, all);
      attempts.push({ bytes, fate: fateOf(payloadOutcome(answer)) });
      progress(attempts.length);
    }
  });
}

export type CoarseSizes = Pick<InferencePayloadParameters, 'floorBytes' | 'startBytes' | 'capBytes' | 'halvings'>;

/** The next size, or null: the cap is taken, the border is known well enough, or an answer said nothing about it. */
export function nextCoarse(attempts: readonly Attempt[], sizes: CoarseSizes): number | null {
  const last = attempts[attempts.length - 1];
  if (!last) return sizes.floorBytes;
  if (last.fate === 'unknown') return null;
  const { accepted, refused } = border(attempts);
  if (accepted === null) return null;
  if (refused === null) {
    if (accepted >= sizes.capBytes) return null;
    return Math.min(sizes.capBytes, accepted === sizes.floorBytes ? sizes.startBytes : accepted * 2);
  }
  const halvings = attempts.length - 1 - attempts.findIndex(({ fate }) => fate === 'refused');
  return halvings < sizes.halvings && refused - accepted > 1 ? Math.floor((accepted + refused) / 2) : null;
}

/** The small one, every doubling up to the cap, and the halvings. */
export function mostCoarse({ startBytes, capBytes, halvings }: CoarseSizes): number {
  return 2 + Math.ceil(Math.log2(capBytes / startBytes)) + halvings;
}
