/**
 * The order of a held-request probe: fill the slots, send more, prove that all had arrived, and then see whether other
 * addresses are served and whether freed slots can be taken again. Every step leaves its requests in `taken`.
 */
import { operationIn } from '../../../../schemas/own.ts';
import { outgoing } from '../../../execute/requests.ts';
import { pause } from '../../../execute/stopwatch.ts';
import { BATCH, ELSEWHERE_ALONE, ELSEWHERE_MEANWHILE, REFILL, STILL_FULL, type Tries } from './amounts.ts';
import type { HeldRequest } from './request.ts';
import {
  ALONE_PATIENCE_MS,
  DROPPED,
  finish,
  isRefused,
  REFUSALS,
  room,
  type Steps,
  type Try,
  tryUntil,
  wave,
} from './steps.ts';
import { WAITED_IN_VAIN } from './waves.ts';
import { sendWhole, wholeAtOnce } from './whole.ts';

/** That there is no slot, or that a body was waited for in vain. */
const SAYS_OTHERWISE: readonly number[] = [...REFUSALS, WAITED_IN_VAIN];

export async function takeSteps(steps: Steps): Promise<void> {
  const { parameters, waves } = steps;
  await waves.timeAnswer();
  await scout(steps);
  if (parameters.otherAddress !== undefined) await elsewhereAlone(steps, parameters.otherAddress);
  const within = await wave(steps, 'within', parameters.limit);
  if (!mostAnsweredEarly(within)) await whileHeld(steps, within);
  // Until then a slow operation looks the same as one that waits for the body.
  if (mostAnsweredEarly(within)) await wholeAtOnce(steps);
  steps.progress(waves.opened);
}

async function whileHeld(steps: Steps, within: readonly HeldRequest[]): Promise<void> {
  const { parameters, waves, taken } = steps;
  const beyond = await wave(steps, 'beyond', parameters.extra);
  if (mostAnsweredEarly(within)) return;
  const noneReported = [...within, ...beyond].every(({ held }) => held);
  const one = noneReported ? await sendWhole(steps) : undefined;
  if (one === 'late' || (one === undefined && noneReported && parameters.isRetry)) return wholeAtOnce(steps, true);
  const whole = one === 'refused';
  if (whole) await completeAlone(steps, beyond);
  else if (noneReported) await goFurther(steps);
  if (waves.allWritten) await steps.control();
  if (beyond.every(({ held }) => !held)) await withAllTaken({ ...steps, whole }, within);
  // A target that reads on where a body was cut off may give those a slot, so they are dropped when the others are over.
  const further = taken.filter(({ phase, held }) => phase === 'further' && held.held);
  await finish(
    taken.filter((one) => !further.includes(one)).map(({ held }) => held),
    steps,
  );
  for (const { held } of further) held.destroy(DROPPED);
}

/** Before their last byte: the target served them without a body, or refused them because a GET should have none. */
function mostAnsweredEarly(within: readonly HeldRequest[]): boolean {
  const early = within.filter(
    ({ outcome }) =>
      outcome?.early && outcome.status > 0 && outcome.status < 500 && !SAYS_OTHERWISE.includes(outcome.status),
  );
  return 2 * early.length >= within.length;
}

async function completeAlone(steps: Steps, requests: readonly HeldRequest[]): Promise<void> {
  const { taken } = steps;
  for (const [at, one] of taken.entries()) if (requests.includes(one.held)) taken[at] = { ...one, alone: true };
  await finish(requests, steps);
}

/** Some targets answer a GET before its body is complete, or refuse it for having one; POST does as well then. */
async function scout(steps: Steps): Promise<void> {
  const { parameters, sending, jobId, waves, taken } = steps;
  const id = parameters.operations.find((one) => {
    const { methods } = operationIn(sending.addresses.operations, one);
    return methods.includes('GET') && methods.includes('POST');
  });
  if (id === undefined) return;
  const request = outgoing(sending.addresses, id, { method: 'GET', ...(jobId === null ? {} : { jobId }) });
  const held = await waves.openOne(request);
  taken.push({ phase: 'scout', held });
  waves.postOnly = !held.held && !isRefused(held);
  await finish([held], steps, ALONE_PATIENCE_MS);
}

/** Whether the other address is served at all, while nothing is held. */
async function elsewhereAlone(steps: Steps, from: string): Promise<void> {
  await finish(await wave(steps, 'elsewhere-alone', ELSEWHERE_ALONE, { localAddress: from }), steps, ALONE_PATIENCE_MS);
}

/**
 * No request was refused yet. A target that counts per connection, method or process refuses some further on, and that
 * shows what it counts. Ends with the first batch with a refusal.
 */
async function goFurther(steps: Steps): Promise<void> {
  if (steps.parameters.most === undefined) return;
  for (let count = room(steps); count > 0; count = room(steps)) {
    const batch = await wave(steps, 'further', Math.min(BATCH, count));
    if (batch.some(({ held }) => !held)) return;
  }
}

/** A target that says only of a whole request that it refused it is shown whole ones. */
interface Full extends Steps {
  readonly whole: boolean;
}

async function withAllTaken(steps: Full, within: readonly HeldRequest[]): Promise<void> {
  const { otherAddress } = steps.parameters;
  if (otherAddress !== undefined) {
    const elsewhere = await wave(steps, 'elsewhere', ELSEWHERE_MEANWHILE, { localAddress: otherAddress });
    if (steps.whole) await completeAlone(steps, elsewhere);
    const further = await wave(steps, 'still-full', STILL_FULL);
    if (steps.whole) await completeAlone(steps, further);
  }
  const taker = (await freeOne(steps, within)) && (await trySlot(steps, 'after-free', steps.tries.freeMs));
  // A request that had to be whole is over, and its slot free again.
  const takesMs = taker ? untilFree(steps.tries, taker.attempts) : 0;
  const isFree = steps.whole && taker && !isRefused(taker.held);
  if (isFree || (await freeOne(steps, within))) await tryAbort(steps, takesMs);
  if (!steps.whole && taker && taker.held.held) await refill(steps, takesMs);
}

const TAKERS = ['within', 'after-free', 'after-abort'];

/**
 * Frees half of the slots, and requests all of those and some more at the same moment. The others have been held for a
 * while: a target that counts recent requests, and not those in flight, admits more as well.
 */
async function refill(steps: Steps, takesMs: number): Promise<void> {
  const { parameters, taken, signal } = steps;
  const more = Math.min(parameters.extra, REFILL);
  const holding = taken.filter(({ phase, held }) => TAKERS.includes(phase) && held.held);
  const given = holding.slice(0, Math.max(0, Math.min(REFILL, Math.ceil(holding.length / 2), room(steps) - more)));
  if (given.length === 0) return;
  for (const one of given) taken[taken.indexOf(one)] = { ...one, freed: true };
  await finish(
    given.map(({ held }) => held),
    steps,
  );
  await pause(takesMs, signal);
  await wave(steps, 'refill', given.length + more);
  await steps.control();
}

/** Releases one of the held requests and waits for its answer; false when there is none to release. */
async function freeOne(steps: Steps, within: readonly HeldRequest[]): Promise<boolean> {
  const one = within.find(({ held }) => held);
  if (!one) return false;
  const { taken } = steps;
  const at = taken.findIndex(({ held }) => held === one);
  taken[at] = { phase: 'within', held: one, freed: true };
  await finish([one], steps);
  return one.outcome !== null && one.outcome.status !== 0;
}

/** Takes the free slot with a request that is then aborted, and tries the slot again. It is ours to lose, and counts nowhere. */
async function tryAbort(steps: Full, takesMs: number): Promise<void> {
  const { freeMs } = steps.tries;
  const victim = steps.whole ? await openUntilFull(steps, takesMs) : await openUntilHeld(steps, freeMs);
  if (!victim?.held.held) return;
  steps.taken.push({ phase: 'aborted', ...victim });
  victim.held.destroy(DROPPED);
  await trySlot(steps, 'after-abort', steps.tries.abortMs);
}

/** How long a slot takes to become free, ms, where it was free at that try: and the wait for one more. */
const untilFree = ({ freeMs }: Tries, attempts = 1): number =>
  freeMs.slice(0, attempts + 1).reduce((sum, ms) => sum + ms, 0);

/** Returns the last that was tried. */
async function trySlot(steps: Full, phase: string, waitsMs: readonly number[]): Promise<Try | undefined> {
  const last = await openUntilHeld(steps, waitsMs);
  if (last) steps.taken.push({ phase, ...last });
  steps.progress(steps.waves.opened);
  return last;
}

/**
 * The last of some tries. One that seems to have got the slot may only not have been read yet, and be refused
 * when it is, so the control requests come before that is believed.
 */
async function openUntilHeld(steps: Full, waitsMs: readonly number[]): Promise<Try | undefined> {
  let last: Try | undefined;
  await tryUntil(steps, waitsMs, 1, async (attempts) => {
    const held = await steps.waves.openOne();
    last = { held, attempts, ...(steps.whole ? { alone: true } : {}) };
    if (steps.whole) await finish([held], steps);
    else if (held.held) await steps.control();
    return steps.whole ? !isRefused(held) : held.held;
  });
  return last;
}

/** How many tries for a slot that is certainly free by then. */
const SURE_TRIES = 2;

/**
 * One that has the free slot, where only whole requests are refused: opened when the slot is free again, after as long
 * as that took the last time, and the next whole one is refused.
 */
async function openUntilFull(steps: Full, takesMs: number): Promise<Try | undefined> {
  for (let attempt = 1; attempt <= SURE_TRIES && room(steps) > 2; attempt += 1) {
    await pause(takesMs, steps.signal);
    const held = await steps.waves.openOne();
    await steps.control();
    const next = await steps.waves.openOne();
    steps.taken.push({ phase: 'full', held: next });
    await completeAlone(steps, [next]);
    if (isRefused(next)) return { held, attempts: 2 * attempt };
    held.destroy(DROPPED);
    steps.taken.push({ phase: 'full', held });
  }
  return undefined;
}
