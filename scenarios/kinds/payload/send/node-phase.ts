/**
 * The second half of a payload probe, in Node, after k6 has found the border of bodies with Content-Length: what k6 saw
 * as a cut connection is retried, the border of chunked bodies is searched, which k6 cannot send, and the jobs of the
 * largest bodies that must be accepted are followed up. No body is ever in memory as a whole.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BodyEncoding } from '../../../../schemas/facts.ts';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import { isSuccess } from '../../../../schemas/status.ts';
import type { SenderEnvironment, Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import { continued, type OwnLedger } from '../../../execute/own-ledger.ts';
import { markedWord, outgoing } from '../../../execute/requests.ts';
import { type Attempt, border } from '../../../k6/lib/bisection.ts';
import { frameOf } from '../../../k6/lib/body.ts';
import type { PayloadParameters } from '../../../probe.ts';
import { confirmBreaks, searchSizes } from './confirm.ts';
import { echoIn, isUnknown, type JobEcho, noEcho } from './job-echo.ts';
import { piecesOf, sizedSender } from './large-body.ts';
import { decodeSize, encodeSize } from './note.ts';
import { fateOf, payloadOutcome } from './outcome.ts';
import { MOST_AGAIN, MOST_FOLLOW_UPS, markOfBody, rangeOf } from './sizes.ts';

// Follows up the jobs of the largest bodies that must be accepted, and that of a small one which was submitted last:
// only compared with that one, a job that is not there, or never ends, says anything about its size.

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
const TIMEOUT_MS = 30_000;
/** So many more rounds for a large job once the small one has ended. */
const ROUNDS_MORE = 8;

interface Followed {
  readonly bytes: number;
  readonly encoding: BodyEncoding;
  readonly id: string;
  readonly control: boolean;
  over: boolean;
  /** As it was seen last. */
  unknown: boolean;
}

/** Adds a `follow-up` for each poll. Rejects when the signal is aborted. */
async function followUpJobs(
  range: PayloadParameters,
  sending: Sending,
  signal: AbortSignal,
  all: OwnLedger,
): Promise<void> {
  const jobs = jobsToFollow(range, all);
  const control = jobs.find((one) => one.control);
  let roundsMore = 0;
  for (let round = 0; round < MOST_FOLLOW_UPS && jobs.some(({ over }) => !over); round += 1) {
    if (control?.over !== false) roundsMore += 1;
    if (roundsMore > ROUNDS_MORE) break;
    if (round > 0) await delay(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** round), undefined, { signal });
    for (const job of jobs) if (!job.over) await followUp(job, range, sending, signal, all);
  }
  const earlier = jobs.some(({ control: small, unknown }) => unknown && !small) ? firstSmall(range, all) : undefined;
  if (earlier) await followUp(earlier, range, sending, signal, all);
}

/** Submitted before all others: where that is still known, not everything was lost in between. */
function firstSmall({ acceptBytes }: PayloadParameters, all: OwnLedger): Followed | undefined {
  for (const { phase, status, note } of all.all()) {
    const size = decodeSize(note);
    const id = size?.seen?.id ?? null;
    if (phase !== 'try' || !size || !isSuccess(status) || size.bytes >= acceptBytes || id === null) continue;
    return { bytes: size.bytes, encoding: size.encoding, id, control: true, over: false, unknown: false };
  }
  return undefined;
}

async function followUp(
  job: Followed,
  range: PayloadParameters,
  sending: Sending,
  signal: AbortSignal,
  all: OwnLedger,
): Promise<void> {
  const { addresses } = sending;
  const request = outgoing(addresses, 'status', { jobId: job.id });
  const options = { phase: 'follow-up', sending, clock: all.clock, signal, timeoutMs: TIMEOUT_MS };
  const { entry, body } = await exchange(request, options);
  const seen: JobEcho = isSuccess(entry.status)
    ? echoIn(body, markedWord(addresses, markOfBody(range, job)))
    : noEcho(null);
  const { bytes, encoding } = job;
  all.add({ ...entry, note: encodeSize({ bytes, encoding, sent: null, seen: { ...seen, id: job.id } }) });
  job.unknown = isUnknown(entry.status);
  job.over = seen.state === 'completed' || seen.state === 'ended';
}

/** Those whose own answer did not show their end already. */
function jobsToFollow(range: PayloadParameters, all: OwnLedger): Followed[] {
  return all.all().flatMap(({ phase, status, note }) => {
    const size = decodeSize(note);
    const control = phase === 'control';
    if (!size || !isSuccess(status) || !(control || size.bytes === range.acceptBytes)) return [];
    const { bytes, encoding, seen } = size;
    if (!seen || seen.id === null || seen.state === 'completed' || seen.state === 'ended') return [];
    return [{ bytes, encoding, id: seen.id, control, over: false, unknown: false }];
  });
}

/**
 * Goes on with the ledger that k6 wrote and returns that of both; as it is where k6 was cut short or where not even a
 * small body was taken. Throws only on faults of its own.
 */
export async function sendNodePhase(
  parameters: PayloadParameters,
  sending: Sending,
  env: SenderEnvironment,
  text: string,
): Promise<string> {
  const all = continued(text);
  if (all === null || env.signal.aborted) return text;
  const range = rangeOf(parameters, sending.addresses);
  const small = attemptsOf(all.entries).find(({ bytes }) => bytes === range.floorBytes);
  if (small?.fate !== 'accepted') return text;
  const { addresses } = sending;
  const request = outgoing(addresses, parameters.operation, { body: null });
  const send = sizedSender(request, { sending, env, all }, (one) => {
    const frame = frameOf(addresses, markOfBody(parameters, one));
    return { pieces: piecesOf(frame, one.bytes), seen: (answer) => echoIn(answer, frame.word) };
  });
  return all.during(env.signal, async () => {
    for (const bytes of brokenOffSizes(all.entries, range))
      await send({ phase: 'retry', bytes, encoding: 'content-length' });
    await searchSizes('chunked', { ...range, guessBytes: border(attemptsOf(all.entries)).accepted }, send);
    await confirmBreaks(range, all, send);
    await send({ phase: 'control', bytes: range.floorBytes, encoding: 'content-length' });
    if (parameters.followsUp) await followUpJobs(range, sending, env.signal, all);
  });
}

/** The sizes that decide, of those that broke off in k6: with a cut connection an answer may have been lost. */
function brokenOffSizes(entries: readonly LedgerEntry[], { acceptBytes, refuseBytes }: PayloadParameters): number[] {
  const broken = entries.flatMap((entry) =>
    payloadOutcome(entry) === 'broken-off' ? (decodeSize(entry.note)?.bytes ?? []) : [],
  );
  const smallest = broken.length > 0 ? Math.min(...broken) : null;
  const deciding = [acceptBytes, refuseBytes, smallest].filter((bytes) => bytes !== null && broken.includes(bytes));
  return [...new Set(deciding)].filter((bytes) => bytes !== null).slice(0, MOST_AGAIN);
}

function attemptsOf(entries: readonly LedgerEntry[]): Attempt[] {
  return entries.flatMap((entry) => {
    const note = decodeSize(entry.note);
    return note ? [{ bytes: note.bytes, fate: fateOf(payloadOutcome(entry)) }] : [];
  });
}
