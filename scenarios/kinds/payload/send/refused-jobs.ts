/**
 * Whether a body that is refused becomes a job all the same. Nothing else happens on the endpoint meanwhile: first an
 * ordinary job shows where jobs can be seen there, then oversized bodies are sent, and each is given the time to show.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isSuccess } from '../../../../schemas/status.ts';
import type { Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import { begun, type OwnLedger } from '../../../execute/own-ledger.ts';
import { outgoing } from '../../../execute/requests.ts';
import { frameOf } from '../../../k6/lib/body.ts';
import { jobIdOf } from '../../../k6/lib/job-state.ts';
import type { RefusedJobParameters } from '../../../probe.ts';
import { sendLargeBody, TIMEOUT_MS } from './large-body.ts';
import { encodeSize, type SightNote } from './note.ts';
import { piecesOf } from './pieces.ts';
import { unseenJob } from './seen.ts';
import { sight } from './sight.ts';
import { markOfBody } from './sizes.ts';

const LOOK_EVERY_MS = 100;
/** Looks at health for the ordinary job, and until nothing changes any more. */
export const MOST_SIGHTS = 20;
/** Health is to say the same so many times in a row before a body is sent. */
const STILL = 2;
/** A job that took a while to show is given so many times that. */
const PATIENCE = 2;
/** One for an id that a refusal named. */
export const NAMED_LOOKS = 1;
/** Reads of the list of requests: before, after the ordinary job, and at the end. */
export const LISTS = 3;

interface Env {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/** Returns the ledger; without its `end` mark when the signal was aborted. */
export async function sendRefusedJobs(parameters: RefusedJobParameters, sending: Sending, env: Env): Promise<string> {
  const all = begun();
  const look = (phase: string, list: boolean) => sight({ phase, list, sending, signal: env.signal, all });
  return all.during(env.signal, async () => {
    const before = await look('before', true);
    const tookMs = await ordinaryJob(parameters, sending, env.signal, all, before, look);
    await look('ordinary', true);
    const waitMs = Math.max(parameters.settleMs, PATIENCE * tookMs);
    for (let round = 0; round < parameters.rounds; round += 1) {
      for (const body of parameters.bodies) {
        await sendOne(body, sending, env.signal, all);
        await delay(waitMs, undefined, { signal: env.signal });
        await look('after', false);
        env.progress(all.all().length);
      }
    }
    await look('end', true);
  });
}

/** Submits it and waits until health counts it and then keeps still; returns how long it took to be counted, ms. */
async function ordinaryJob(
  { operation }: RefusedJobParameters,
  sending: Sending,
  signal: AbortSignal,
  all: OwnLedger,
  before: SightNote,
  look: (phase: string, list: boolean) => Promise<SightNote>,
): Promise<number> {
  const request = outgoing(sending.addresses, operation);
  const options = { phase: 'ordinary', sending, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
  const { entry, body } = await exchange(request, options);
  const seen = unseenJob(jobIdOf(body));
  const bytes = Buffer.byteLength(request.body ?? '');
  all.add({ ...entry, note: encodeSize({ bytes, encoding: 'content-length', sent: 'whole', seen }) });
  let [last, still, countedMs] = [before.jobs, 0, 0];
  for (let looks = 0; looks < MOST_SIGHTS && still < STILL; looks += 1) {
    await delay(LOOK_EVERY_MS, undefined, { signal });
    const { jobs } = await look('ordinary', false);
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
  const seenOf = (answer: string) => unseenJob(jobIdOf(answer));
  const large = { phase: 'try', request, pieces: piecesOf(frame, bytes), bytes, encoding, seen: seenOf } as const;
  const { status, body } = await sendLargeBody(large, sending, signal, all);
  const seen = seenOf(body);
  if (seen.id === null || isSuccess(status)) return;
  const options = { phase: 'named', sending, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
  const { entry } = await exchange(outgoing(addresses, 'status', { jobId: seen.id }), options);
  all.add({ ...entry, note: encodeSize({ bytes, encoding, sent: null, seen }) });
}
