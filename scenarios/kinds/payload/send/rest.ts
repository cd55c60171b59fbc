/**
 * The second half of a payload probe, after k6 has found the border of bodies with a length in front: what k6 saw as a
 * cut connection is tried once more, the border of chunked bodies is looked for, which k6 cannot send, and the jobs of
 * the largest bodies that must be taken are looked at. No body is ever in memory as a whole.
 */
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import type { Sending } from '../../../execute/environment.ts';
import { continued, type OwnLedger } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { type Attempt, border } from '../../../k6/lib/bisection.ts';
import { frameOf } from '../../../k6/lib/body.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { confirmCuts } from './confirm.ts';
import { sendLargeBody } from './large-body.ts';
import { lookAtJobs } from './looks.ts';
import { decodeSize } from './note.ts';
import { fateOf, payloadOutcome } from './outcome.ts';
import { piecesOf } from './pieces.ts';
import { type SendSized, searchSizes } from './search.ts';
import { seenIn } from './seen.ts';
import { MOST_AGAIN, markOfBody, rangeOf } from './sizes.ts';

interface Env {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/**
 * Goes on with the ledger that k6 wrote and returns that of both; as it is where k6 was cut short or where not even a
 * small body was taken. Throws only on faults of its own.
 */
export async function sendRestOfPayload(
  parameters: PayloadParameters,
  sending: Sending,
  env: Env,
  text: string,
): Promise<string> {
  const all = continued(text);
  if (all === null || env.signal.aborted) return text;
  const range = rangeOf(parameters, sending.addresses);
  const small = attemptsOf(all.entries).find(({ bytes }) => bytes === range.floorBytes);
  if (small?.fate !== 'accepted') return text;
  const send = sender(parameters, sending, env, all);
  return all.during(env.signal, async () => {
    for (const bytes of cutSizes(all.entries, range)) await send({ phase: 'again', bytes, encoding: 'content-length' });
    await searchSizes('chunked', { ...range, guessBytes: border(attemptsOf(all.entries)).accepted }, send);
    await confirmCuts(range, all, send);
    await send({ phase: 'control', bytes: range.floorBytes, encoding: 'content-length' });
    if (parameters.looks) await lookAtJobs(range, sending, env.signal, all);
  });
}

function sender(parameters: PayloadParameters, sending: Sending, env: Env, all: OwnLedger): SendSized {
  const { addresses } = sending;
  const request = outgoing(addresses, parameters.operation, { body: null });
  return async ({ phase, bytes, encoding }) => {
    const frame = frameOf(addresses, markOfBody(parameters, { bytes, encoding }));
    const slow = phase === 'again';
    const seen = (answer: string) => seenIn(answer, frame.word);
    const body = { phase, request, pieces: piecesOf(frame, bytes), bytes, encoding, slow, seen };
    const outcome = payloadOutcome(await sendLargeBody(body, sending, env.signal, all));
    env.progress(all.all().length);
    return outcome;
  };
}

/** The sizes that decide, of those whose connection was cut in k6: there an answer may have been lost with it. */
function cutSizes(entries: readonly LedgerEntry[], { acceptBytes, refuseBytes }: PayloadParameters): number[] {
  const cut = entries.flatMap((entry) =>
    payloadOutcome(entry) === 'reset' ? (decodeSize(entry.note)?.bytes ?? []) : [],
  );
  const smallest = cut.length > 0 ? Math.min(...cut) : null;
  const deciding = [acceptBytes, refuseBytes, smallest].filter((bytes) => bytes !== null && cut.includes(bytes));
  return [...new Set(deciding)].filter((bytes) => bytes !== null).slice(0, MOST_AGAIN);
}

function attemptsOf(entries: readonly LedgerEntry[]): Attempt[] {
  return entries.flatMap((entry) => {
    const note = decodeSize(entry.note);
    return note ? [{ bytes: note.bytes, fate: fateOf(payloadOutcome(entry)) }] : [];
  });
}
