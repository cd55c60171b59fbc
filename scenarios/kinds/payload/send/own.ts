/**
 * The payload probe of an operation that only the configuration knows: its own body, made longer by spaces that mean
 * nothing to any reader of JSON, so that nothing has to be known of what stands in it. What an acceptance looks like is
 * seen by its usual body, which is sent first and last.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sending } from '../../../execute/environment.ts';
import { begun, type OwnLedger } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { border } from '../../../k6/lib/bisection.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { confirmBreaks, type SendSized, searchSizes } from './confirm.ts';
import { sendLargeBody, spacedPieces } from './large-body.ts';
import { payloadOutcome } from './outcome.ts';

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

interface Env {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/** Returns the ledger; without its `end` mark when the signal was aborted. Throws only on faults of its own. */
export async function sendOwnPayload(parameters: PayloadParameters, sending: Sending, env: Env): Promise<string> {
  const all = begun();
  const send = sender(parameters, sending, env, all);
  return all.during(env.signal, async () => {
    const found = await searchSizes('content-length', parameters, send);
    if (found[0]?.fate !== 'accepted') return;
    await searchSizes('chunked', { ...parameters, guessBytes: border(found).accepted }, send);
    await confirmBreaks(parameters, all, send);
    await send({ phase: 'control', bytes: parameters.floorBytes, encoding: 'content-length' });
  });
}

function sender(parameters: PayloadParameters, sending: Sending, env: Env, all: OwnLedger): SendSized {
  const request = outgoing(sending.addresses, parameters.operation, { method: parameters.method });
  const json = request.body ?? '';
  const turn = paused(parameters.apartMs ?? 0, env.signal);
  return async ({ phase, bytes, encoding }) => {
    await turn();
    const pieces = spacedPieces(json, bytes);
    const body = { phase, request, pieces, bytes, encoding, slow: phase === 'again', seen: () => null };
    const outcome = payloadOutcome(await sendLargeBody(body, sending, env.signal, all));
    env.progress(all.all().length);
    return outcome;
  };
}
