/**
 * The held-request sender: proves requests in flight together, to the unit, on operations that answer too fast for
 * k6 to ever have many of them at once. k6 cannot send part of a body, so this one is plain node:http.
 *
 * As many requests as the limit allows are opened but for their last byte, then some more: a target that enforces the
 * limit answers those at once, or as soon as they are complete. Then one slot is freed by an answer and one by an
 * abort, and each is tried again. Control requests show that all of them had arrived.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import { Client } from 'undici';
import type { LedgerEntry } from '../../../../schemas/ledger.ts';
import { CONTROL_PHASE, CONTROL_REQUESTS, controlRequest, TIMING_PHASE } from '../../../execute/control.ts';
import { deadline } from '../../../execute/deadline.ts';
import type { ProbeEnvironment, Sending } from '../../../execute/environment.ts';
import { exchange } from '../../../execute/exchange.ts';
import { begun } from '../../../execute/own-ledger.ts';
import type { Stopwatch } from '../../../execute/stopwatch.ts';
import type { ConcurrencyParameters } from '../../../probe.ts';
import { CONTROL_ROUNDS, TRIES } from './amounts.ts';
import { takeSteps } from './sequence.ts';
import { DROPPED, type Taken } from './steps.ts';
import { Waves } from './waves.ts';

// Whole requests to an operation without a limit, each on a connection of its own: the control requests between the
// second wave and the first release (see execute/control.ts), and those that measure response times.

const PATIENCE_MS = 5000;

/** One of them. Rejects only when the signal is aborted. */
async function sendControl(
  phase: string,
  { operations }: Pick<ConcurrencyParameters, 'operations'>,
  sending: Sending,
  clock: Stopwatch,
  signal: AbortSignal,
): Promise<LedgerEntry> {
  const request = controlRequest(sending.addresses, operations);
  // A client of its own is a connection of its own.
  const dispatcher = new Client(new URL(request.url).origin);
  try {
    const options = { phase, sending, clock, signal, timeoutMs: PATIENCE_MS, dispatcher };
    return (await exchange(request, options)).entry;
  } finally {
    await dispatcher.destroy();
  }
}

/** One that gets no answer is the last: the proof is then not to be had, and the rest can do without it. */
export async function sendControls(
  parameters: ConcurrencyParameters,
  sending: Sending,
  clock: Stopwatch,
  signal: AbortSignal,
): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  while (entries.length < CONTROL_REQUESTS) {
    const entry = await sendControl(CONTROL_PHASE, parameters, sending, clock, signal);
    entries.push(entry);
    if (entry.status === 0) break;
  }
  return entries;
}

const TOTAL_PATIENCE_MS = 180_000;

/**
 * Sends the probe and returns its ledger; without an `end` mark when it was aborted or took too long.
 *
 * @param tries for how long to try to take a slot
 */
export async function sendHeld(
  parameters: ConcurrencyParameters,
  sending: Sending,
  env: Pick<ProbeEnvironment, 'signal' | 'progress'>,
  tries = TRIES,
): Promise<string> {
  const all = begun();
  const { clock } = all;
  const limit = deadline(env.signal, TOTAL_PATIENCE_MS);
  const { signal } = limit;
  const taken: Taken[] = [];
  const { url } = controlRequest(sending.addresses, parameters.operations);
  const { Agent } = url.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const timeAnswer = async (): Promise<number | null> => {
    const entry = await sendControl(TIMING_PHASE, parameters, sending, clock, signal);
    all.add(entry);
    return entry.status === 0 ? null : entry.firstByteMs - entry.sentMs;
  };
  let rounds = 0;
  let silent = false;
  const control = async () => {
    rounds += 1;
    if (rounds > CONTROL_ROUNDS || silent) return !silent;
    const controls = await sendControls(parameters, sending, clock, signal);
    silent = controls.some(({ status }) => status === 0);
    for (const one of controls) all.add(one);
    return !silent;
  };
  // A job that is done: on one that still runs some operations would wait by themselves.
  const jobId = sending.addresses.doneJobs?.[0] ?? null;
  const waves = new Waves({ parameters, sending, jobId, agent, clock, signal, timeAnswer });
  const progress = (done: number) => env.progress(done);
  return all.during(signal, async () => {
    try {
      await takeSteps({ parameters, sending, jobId, waves, taken, control, tries, progress, signal });
    } finally {
      limit.over();
      waves.destroyAll('stopped');
      agent.destroy();
      for (const one of taken) if (one.held.outcome) all.add(entryOf(one, one.held.outcome));
    }
  });
}

function entryOf(one: Taken, outcome: NonNullable<Taken['held']['outcome']>): LedgerEntry {
  const { phase, held } = one;
  const { status, error, sentMs, firstByteMs, endMs, retryAfter } = outcome;
  const words = [
    fateOf(one),
    ...(retryAfter === '' ? [] : [`retry-after=${retryAfter}`]),
    ...(one.attempts === undefined ? [] : [`attempts=${one.attempts}`]),
  ];
  const note = words.join(' ');
  return { phase, operation: held.operation, sentMs, firstByteMs, endMs, status, error, note };
}

function fateOf({ held, freed, alone, whole }: Taken): string {
  if (held.outcome?.error === DROPPED) return DROPPED;
  if (whole) return 'whole';
  if (held.outcome?.early) return 'early';
  if (alone) return 'alone';
  return freed ? 'freed' : 'released';
}
