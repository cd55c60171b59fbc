/**
 * The payload probe of an operation that only the configuration knows: its own body, made longer by spaces, which JSON
 * readers ignore, so that its content need not be known. Its usual body, sent first and last, shows what a success is.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { SenderEnvironment, Sending } from '../../../execute/environment.ts';
import { begun } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { border } from '../../../k6/lib/bisection.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { confirmBreaks, searchSizes } from './confirm.ts';
import { sizedSender, spacedPieces } from './large-body.ts';

/**
 * A function that resolves `apartMs` after it was called last or later, the first time at once.
 * Rejects when the signal is aborted.
 */
export function paused(apartMs: number, signal: AbortSignal): () => Promise<void> {
  let nextMs = performance.now();
  return async () => {
    const leftMs = nextMs - performance.now();
    if (leftMs > 0) await delay(leftMs, undefined, { signal });
    // A timer may fire a moment early; what counts is when this turn really began.
    nextMs = Math.max(nextMs, performance.now()) + apartMs;
  };
}

/** Returns the ledger; without its `end` mark when the signal was aborted. Throws only on faults of its own. */
export async function sendOwnPayload(
  parameters: PayloadParameters,
  sending: Sending,
  env: SenderEnvironment,
): Promise<string> {
  const all = begun();
  const request = outgoing(sending.addresses, parameters.operation, { method: parameters.method });
  const json = request.body ?? '';
  const turn = paused(parameters.apartMs ?? 0, env.signal);
  const send = sizedSender(request, { sending, env, all }, async ({ bytes }) => {
    await turn();
    return { pieces: spacedPieces(json, bytes), seen: () => null };
  });
  return all.during(env.signal, async () => {
    const found = await searchSizes('content-length', parameters, send);
    if (found[0]?.fate !== 'accepted') return;
    await searchSizes('chunked', { ...parameters, guessBytes: border(found).accepted }, send);
    await confirmBreaks(parameters, all, send);
    await send({ phase: 'control', bytes: parameters.floorBytes, encoding: 'content-length' });
  });
}
