/**
 * Whether a body that is refused becomes a job all the same. Nothing else happens on the endpoint during it: first an
 * ordinary job shows where jobs can be seen there, then oversized bodies are sent, with time after each for a job to
 * show.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { countedInAll, listedIds } from '../../../../schemas/job-answer.ts';
import { parseJson } from '../../../../schemas/json.ts';
import { isSuccess } from '../../../../schemas/status.ts';
import type { SenderEnvironment, Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import { begun, type OwnLedger } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { frameOf } from '../../../k6/lib/body.ts';
import { jobIdIn } from '../../../k6/lib/job-state.ts';
import type { RefusedJobParameters } from '../../../probe.ts';
import { noEcho } from './job-echo.ts';
import { piecesOf, sendLargeBody, TIMEOUT_MS } from './large-body.ts';
import { encodeSize, encodeVisibility, type VisibilityNote } from './note.ts';
import { markOfBody } from './sizes.ts';

// What shows the jobs of an endpoint: their number in health, and their ids in the list of requests.

const VISIBILITY_MS = 10_000;

interface Visibility {
  readonly phase: string;
  /** Whether to read the list of requests too, which has a small budget. */
  readonly list: boolean;
  readonly sending: Sending;
  readonly signal: AbortSignal;
  readonly all: OwnLedger;
}

/** Rejects only when the signal is aborted; null where the response has no such value. */
async function visibility({ phase, list, sending, signal, all }: Visibility): Promise<VisibilityNote> {
  const send = async (id: 'health' | 'requests') => {
    const options = { phase, sending, clock: all.clock, signal, timeoutMs: VISIBILITY_MS };
    const { entry, body } = await exchange(outgoing(sending.addresses, id), options);
    const seen = isSuccess(entry.status) ? body : '';
    const note =
      id === 'health'
        ? { jobs: countedInAll(parseJson(seen)), ids: null }
        : { jobs: null, ids: listedIds(parseJson(seen)) };
    all.add({ ...entry, note: encodeVisibility(note) });
    return note;
  };
  const { jobs } = await send('health');
  return { jobs, ids: list ? (await send('requests')).ids : null };
}

const POLL_EVERY_MS = 100;
/** Health requests for the ordinary job, and until nothing changes any more. */
export const MOST_VISIBILITY_POLLS = 20;
/** Health is to say the same so many times in a row before a body is sent. */
const STILL = 2;
/** A job that took a while to show is given so many times that. */
const PATIENCE = 2;
/** One for an id that a refusal named. */
export const NAMED_READINGS = 1;
/** Reads of the list of requests: before, after the ordinary job, and at the end. */
export const LISTS = 3;

/** Returns the ledger; without its `end` mark when the signal was aborted. */
export async function sendRefusedJobs(
  parameters: RefusedJobParameters,
  sending: Sending,
  env: SenderEnvironment,
): Promise<string> {
  const all = begun();
  const followUp = (phase: string, list: boolean) => visibility({ phase, list, sending, signal: env.signal, all });
  return all.during(env.signal, async () => {
    const before = await followUp('before', true);
    const tookMs = await ordinaryJob(parameters, sending, env.signal, all, before, followUp);
    await followUp('ordinary', true);
    const waitMs = Math.max(parameters.settleMs, PATIENCE * tookMs);
    for (let round = 0; round < parameters.rounds; round += 1) {
      for (const body of parameters.bodies) {
        await sendOne(body, sending, env.signal, all);
        await delay(waitMs, undefined, { signal: env.signal });
        await followUp('after', false);
        env.progress(all.all().length);
      }
    }
    await followUp('end', true);
  });
}

/** Submits it and waits until health counts it and then keeps still; returns how long it took to be counted, ms. */
async function ordinaryJob(
  { operation }: RefusedJobParameters,
  sending: Sending,
  signal: AbortSignal,
  all: OwnLedger,
  before: VisibilityNote,
  followUp: (phase: string, list: boolean) => Promise<VisibilityNote>,
): Promise<number> {
  const request = outgoing(sending.addresses, operation);
  const options = { phase: 'ordinary', sending, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
  const { entry, body } = await exchange(request, options);
  const seen = noEcho(jobIdIn(body));
  const bytes = Buffer.byteLength(request.body ?? '');
  all.add({ ...entry, note: encodeSize({ bytes, encoding: 'content-length', sent: 'whole', seen }) });
  let [last, still, countedMs] = [before.jobs, 0, 0];
  for (let polls = 0; polls < MOST_VISIBILITY_POLLS && still < STILL; polls += 1) {
    await delay(POLL_EVERY_MS, undefined, { signal });
    const { jobs } = await followUp('ordinary', false);
    if (jobs === null) break;
    const counted = jobs > (before.jobs ?? 0);
    if (counted && countedMs === 0) countedMs = all.clock() - entry.sentMs;
    still = counted && jobs === last ? still + 1 : 0;
    last = jobs;
  }
  return countedMs;
}

async function sendOne(
  { operation, bytes }: RefusedJobParameters['bodies'][number],
  sending: Sending,
  signal: AbortSignal,
  all: OwnLedger,
): Promise<void> {
  const { addresses } = sending;
  const encoding = 'content-length';
  const frame = frameOf(addresses, `refused ${markOfBody({ operation }, { bytes, encoding })}`);
  const request = outgoing(addresses, operation, { body: null });
  const seenOf = (answer: string) => noEcho(jobIdIn(answer));
  const large = { phase: 'try', request, pieces: piecesOf(frame, bytes), bytes, encoding, seen: seenOf } as const;
  const { status, body } = await sendLargeBody(large, sending, signal, all);
  const seen = seenOf(body);
  if (seen.id === null || isSuccess(status)) return;
  const options = { phase: 'named', sending, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
  const { entry } = await exchange(outgoing(addresses, 'status', { jobId: seen.id }), options);
  all.add({ ...entry, note: encodeSize({ bytes, encoding, sent: null, seen }) });
}
