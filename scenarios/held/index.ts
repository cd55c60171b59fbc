/**
 * The held-request sender: proves requests in flight together, to the unit, on operations that answer too fast for
 * k6 to ever have many of them at once. k6 cannot send part of a body, so this one is plain node:http.
 *
 * As many requests as the limit allows are opened but for their last byte, then some more: a target that enforces the
 * limit answers those at once. Control requests show that all had arrived. Then one slot is freed by an answer and
 * one by an abort, and each is tried again.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { encodeEntry, encodeMark, type LedgerEntry } from '../../schemas/ledger.ts';
import type { Sending } from '../execute/environment.ts';
import type { ConcurrencyParameters } from '../probe.ts';
import { pause, type Stopwatch, stopwatch, within as withinTime } from './clock.ts';
import { sendControls } from './controls.ts';
import { prepare } from './prepare.ts';
import type { HeldOutcome, HeldRequest } from './request.ts';
import { Waves } from './waves.ts';

/** An aborted request takes a target a moment to notice: waits before each try of the slot it held, ms. */
const ABORT_TRIES_MS: readonly number[] = [200, 300, 500, 1000];
const ANSWER_PATIENCE_MS = 60_000;
const TOTAL_PATIENCE_MS = 180_000;

interface Taken {
  readonly phase: string;
  readonly held: HeldRequest;
  /** Word behind `early` or `released`. */
  readonly remark: string;
}

/** Sends the probe and returns its ledger; without an `end` mark when it was aborted or took too long. */
export async function sendHeld(
  parameters: ConcurrencyParameters,
  sending: Sending,
  env: { readonly signal: AbortSignal; progress(done: number): void },
): Promise<string> {
  const clock = stopwatch();
  const lines = [markLine('start', clock)];
  const signal = AbortSignal.any([env.signal, AbortSignal.timeout(TOTAL_PATIENCE_MS)]);
  const taken: Taken[] = [];
  const secure = (sending.addresses.jobBaseUrl ?? sending.addresses.baseUrl ?? '').startsWith('https:');
  const agent = new (secure ? https : http).Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  let waves: Waves | undefined;
  let complete = false;
  try {
    const { jobId, entries } = await prepare(parameters, sending, clock, signal);
    lines.push(...entries.map(encodeEntry));
    waves = new Waves({ parameters, sending, jobId, agent, clock, signal });
    const control = async () => {
      lines.push(...(await sendControls(parameters, sending, clock, signal)).map(encodeEntry));
    };
    await sequence(parameters, waves, taken, control, env.progress, signal);
    complete = true;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    waves?.destroyAll('stopped');
    agent.destroy();
  }
  lines.push(...taken.flatMap(entryLine));
  if (complete) lines.push(markLine('end', clock));
  return `${lines.join('\n')}\n`;
}

async function sequence(
  parameters: ConcurrencyParameters,
  waves: Waves,
  taken: Taken[],
  control: () => Promise<void>,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const open = async (phase: string, count: number): Promise<HeldRequest[]> => {
    const wave = await waves.open(count);
    taken.push(...wave.map((held) => ({ phase, held, remark: '' })));
    progress(waves.opened);
    return wave;
  };
  const within = await open('within', parameters.limit);
  await open('beyond', parameters.extra);
  if (waves.allWritten) await control();
  if (await freeOne(within, signal)) await open('after-free', 1);
  if (await freeOne(within, signal)) await tryAbort(parameters, waves, taken, signal);
  for (const { held } of taken) held.release();
  await answersOf(
    taken.map(({ held }) => held),
    signal,
  );
  progress(waves.opened);
}

/** Releases one of the held requests and waits for its answer; false when there is none to release. */
async function freeOne(within: readonly HeldRequest[], signal: AbortSignal): Promise<boolean> {
  const one = within.find(({ held }) => held);
  if (!one) return false;
  one.release();
  await answersOf([one], signal);
  return one.outcome !== null && one.outcome.status !== 0;
}

/**
 * Takes the free slot with a request that is then aborted, and tries the slot again. The aborted request is ours to
 * lose, so it is in no count; of the tries only the last is.
 */
async function tryAbort(
  parameters: ConcurrencyParameters,
  waves: Waves,
  taken: Taken[],
  signal: AbortSignal,
): Promise<void> {
  const [victim] = await waves.open(1);
  if (!victim?.held) return;
  victim.destroy('aborted');
  let last: Taken | undefined;
  for (const [index, waitMs] of ABORT_TRIES_MS.entries()) {
    if (index > 0 && waves.opened >= rateOf(parameters)) break;
    await pause(waitMs, signal);
    const [held] = await waves.open(1);
    if (held) last = { phase: 'after-abort', held, remark: ` attempts=${index + 1}` };
    if (held?.held) break;
  }
  if (last) taken.push(last);
}

/** Requests that the operation's rate limit allows in a window: the tries must not run into that limit instead. */
const rateOf = ({ rateLimit }: ConcurrencyParameters): number => rateLimit ?? Number.POSITIVE_INFINITY;

async function answersOf(requests: readonly HeldRequest[], signal: AbortSignal): Promise<void> {
  await withinTime(Promise.all(requests.map((one) => one.settled)), ANSWER_PATIENCE_MS, signal);
  for (const one of requests) if (one.outcome === null) one.destroy('timeout');
}

function entryLine({ phase, held, remark }: Taken): string[] {
  const outcome = held.outcome;
  if (outcome === null) return [];
  const { status, error, sentMs, firstByteMs, endMs } = outcome;
  const entry: LedgerEntry = {
    phase,
    operation: held.operation,
    sentMs,
    firstByteMs,
    endMs,
    status,
    error,
    note: `${noteOf(outcome)}${remark}`,
  };
  return [encodeEntry(entry)];
}

function noteOf({ early, retryAfter }: HeldOutcome): string {
  return `${early ? 'early' : 'released'}${retryAfter === '' ? '' : ` retry-after=${retryAfter}`}`;
}

function markLine(mark: 'start' | 'end', clock: Stopwatch): string {
  return encodeMark({ mark, wallMs: Date.now(), monotonicMs: clock() });
}
