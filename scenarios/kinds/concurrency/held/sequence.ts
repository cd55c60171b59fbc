/**
 * The order of things in a held-request probe: fill the slots, ask for more, prove that all had arrived, and then see
 * whether other addresses are spared and whether freed slots come back. Every step leaves its requests in `taken`.
 */

import { isSubmitting } from '../../../../schemas/operations.ts';
import { operationIn } from '../../../../schemas/own.ts';
import { isSuccess } from '../../../../schemas/status.ts';
import { outgoing } from '../../../execute/requests.ts';
import { pause, within as withinTime } from '../../../execute/stopwatch.ts';
import { BATCH, ELSEWHERE_ALONE, ELSEWHERE_MEANWHILE, REFILL, STILL_FULL, type Tries } from './amounts.ts';
import type { HeldRequest } from './request.ts';
import { type How, WAITED_IN_VAIN, type WaveContext, type Waves } from './waves.ts';

const ANSWER_PATIENCE_MS = 60_000;
/** For one request by itself, before the waves: a target that never answers is found out soon enough. */
const ALONE_PATIENCE_MS = 15_000;
/** With what limits refuse; a 403 is what a key may be told each time. */
const REFUSALS: readonly number[] = [429, 420, 503, 509];
/** That there is no slot, or that a body was waited for in vain. */
const SAYS_OTHERWISE: readonly number[] = [...REFUSALS, WAITED_IN_VAIN];
/** What an unanswered request is over with when it was only there to take a slot. */
export const DROPPED = 'dropped';

export interface Taken {
  readonly phase: string;
  readonly held: HeldRequest;
  /** Released before all others, so that its slot was free. */
  readonly freed?: boolean;
  /** Completed by itself while others were held, to see whether it is refused. */
  readonly alone?: boolean;
  /** Sent whole, at the same moment as others. */
  readonly whole?: boolean;
  /** Tries that this is the last of. */
  readonly attempts?: number;
}

type Try = Omit<Taken, 'phase'>;

export interface Steps extends Pick<WaveContext, 'parameters' | 'sending' | 'jobId' | 'signal'> {
  readonly waves: Waves;
  readonly taken: Taken[];
  /** Sends the control requests, unless that was done too often already; false when they are not answered. */
  readonly control: () => Promise<boolean>;
  readonly tries: Tries;
  readonly progress: (done: number) => void;
}

export async function takeSteps(steps: Steps): Promise<void> {
  const { parameters, waves } = steps;
  await waves.look();
  await scout(steps);
  if (parameters.otherAddress !== undefined) await elsewhereAlone(steps, parameters.otherAddress);
  const within = await wave(steps, 'within', parameters.limit);
  if (!mostAnsweredEarly(within)) await whileHeld(steps, within);
  // Until then an operation that takes long looks as if it waited for the body.
  if (mostAnsweredEarly(within)) await wholeAtOnce(steps);
  steps.progress(waves.opened);
}

async function whileHeld(steps: Steps, within: readonly HeldRequest[]): Promise<void> {
  const { parameters, waves, taken } = steps;
  const beyond = await wave(steps, 'beyond', parameters.extra);
  if (mostAnsweredEarly(within)) return;
  const noneTold = [...within, ...beyond].every(({ held }) => held);
  const one = noneTold ? await sendWhole(steps) : undefined;
  // Whole ones meet as long as that takes.
  if (one === 'late') return wholeAtOnce(steps);
  const whole = one === 'refused';
  if (whole) await completeAlone(steps, beyond);
  else if (noneTold) await goFurther(steps);
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

/** What was asked before the waves, and stays as it is. */
const BEFORE = ['scout', 'elsewhere-alone'];

/** Nothing can be held. Whole requests that are sent at the same moment meet as long as their answers take. */
async function wholeAtOnce(steps: Steps): Promise<void> {
  const { parameters, waves, taken, signal } = steps;
  const { limit, extra, holdMs } = parameters;
  for (const [at, one] of taken.entries()) if (!BEFORE.includes(one.phase)) taken[at] = { ...one, phase: 'trial' };
  await finishAll(steps);
  // A target may take its time to give their slots back.
  await pause(holdMs, signal);
  const within = await wave(steps, 'within', Math.min(limit, room(steps)), { whole: true });
  // So long that a refusal has come, which those beyond must not explain, and that all are still there.
  await waves.look();
  await pause(REFUSED_WITHIN_SHARE * answerMs(taken), signal);
  const beyond = await wave(steps, 'beyond', Math.min(extra, room(steps)), { whole: true });
  await steps.control();
  await finishAll(steps);
  // What refused for all until now, and not any more, refused for the slots.
  await waves.look();
  if (!beyond.every(isRefused)) return;
  const slots = within.filter((one) => !isRefused(one)).length;
  await takeAllAgain(steps, 'after-free', slots, steps.tries.freeMs);
  if (await abortWhole(steps)) await takeAllAgain(steps, 'after-abort', slots, steps.tries.abortMs);
}

/** Of the time that an answer takes. */
const REFUSED_WITHIN_SHARE = 0.15;

/** How long an answer takes that waits for no other and for no body, ms. */
function answerMs(taken: readonly Taken[]): number {
  const whole = taken.flatMap(({ held: { outcome }, alone }) => (outcome && (alone || outcome.early) ? [outcome] : []));
  const served = whole.filter(({ status }) => isSuccess(status));
  const times = served.map(({ sentMs, firstByteMs }) => firstByteMs - sentMs);
  return times.length > 0 ? Math.min(...times) : 0;
}

/** As many at the same moment as there are slots, until none is refused. */
async function takeAllAgain(steps: Steps, phase: string, slots: number, waitsMs: readonly number[]): Promise<void> {
  const { waves, taken, signal } = steps;
  let last: Try[] = [];
  for (const [index] of waitsMs.entries()) {
    const left = Math.floor(room(steps) / slots);
    if (left < 1) break;
    await pause(waitFor(waitsMs, index, left), signal);
    const all = await waves.open(slots, { whole: true });
    await finish(all, steps);
    last = all.map((held) => ({ held, whole: true, attempts: index + 1 }));
    if (!all.some(isRefused)) break;
  }
  taken.push(...last.map((one) => ({ phase, ...one })));
}

/** Whether it was surely there when it was aborted. */
async function abortWhole({ waves, taken, control }: Steps): Promise<boolean> {
  const [victim] = await waves.open(1, { whole: true });
  if (!victim || !(await control()) || !victim.held) return false;
  taken.push({ phase: 'aborted', held: victim });
  victim.destroy(DROPPED);
  return true;
}

/** So many times what a request that is answered at once takes: an answer that takes time. */
const LATE_TIMES = 4;

/** The first one may take its time only because it is the first. */
const WHOLE_TRIES = 2;

/**
 * Some read a body to its end before they say that they refused it, as servers in Go do: held back, it looks as if it had
 * got a slot. Others count a request from the end of its body on, or give its slot back while the body is still waited for.
 * So a whole one is sent while all the others are held.
 */
async function sendWhole(steps: Steps): Promise<'refused' | 'late' | undefined> {
  const { waves, taken } = steps;
  for (let tried = 0; tried < WHOLE_TRIES; tried += 1) {
    // Where nothing else is answered either, it would say nothing; and while it is there, nothing else may take a slot.
    if (room(steps) <= 0 || !waves.allWritten || !(await steps.control())) return undefined;
    const one = waves.sendFirst();
    await finish([one], steps, ALONE_PATIENCE_MS);
    const refused = isRefused(one);
    taken.push({ phase: refused ? 'beyond' : 'trial', held: one, alone: true });
    if (refused) return 'refused';
    const lookMs = isSubmitting(one.operation) ? null : await waves.look();
    if (lookMs === null || !isLate(one, lookMs)) return undefined;
  }
  return 'late';
}

function isLate({ outcome }: HeldRequest, lookMs: number): boolean {
  const { status = 0, sentMs = 0, firstByteMs = 0 } = outcome ?? {};
  return status !== 0 && firstByteMs - sentMs >= LATE_TIMES * lookMs;
}

const isRefused = ({ outcome }: HeldRequest): boolean => REFUSALS.includes(outcome?.status ?? 0);

async function completeAlone(steps: Steps, requests: readonly HeldRequest[]): Promise<void> {
  const { taken } = steps;
  for (const [at, one] of taken.entries()) if (requests.includes(one.held)) taken[at] = { ...one, alone: true };
  await finish(requests, steps);
}

async function wave(steps: Steps, phase: string, count: number, how: How = {}): Promise<HeldRequest[]> {
  const opened = await steps.waves.open(count, how);
  steps.taken.push(...opened.map((held) => ({ phase, held, whole: how.whole === true })));
  steps.progress(steps.waves.opened);
  return opened;
}

/** How many more may be opened: what was announced, and no more than the rate limit takes. */
function room({ parameters: { most, rateLimit }, waves }: Steps): number {
  return Math.min(most ?? Number.POSITIVE_INFINITY, rateLimit ?? Number.POSITIVE_INFINITY) - waves.opened;
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

/** Whether the other address is served at all, while nobody holds anything. */
async function elsewhereAlone(steps: Steps, from: string): Promise<void> {
  await finish(await wave(steps, 'elsewhere-alone', ELSEWHERE_ALONE, { localAddress: from }), steps, ALONE_PATIENCE_MS);
}

/**
 * Nobody was refused yet. A target that counts for each connection, method or process apart refuses somebody further
 * on, and that shows what it counts. Ends with the first batch in which somebody was refused.
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
  // A taker that had to be whole is over, and its slot free once more.
  const takesMs = taker ? untilFree(steps.tries, taker.attempts) : 0;
  const isFree = steps.whole && taker && !isRefused(taker.held);
  if (isFree || (await freeOne(steps, within))) await tryAbort(steps, takesMs);
  if (!steps.whole && taker && taker.held.held) await refill(steps, takesMs);
}

const TAKERS = ['within', 'after-free', 'after-abort'];

/**
 * Gives half of the slots back, and asks for all of those and some more at the same moment. The others have been held for
 * a while: a target that counts how many came lately, and not how many are there, lets more in as well.
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

/** How long a slot takes to come back, ms, where it was there at that try: and the wait for one more. */
const untilFree = ({ freeMs }: Tries, attempts = 1): number =>
  freeMs.slice(0, attempts + 1).reduce((sum, ms) => sum + ms, 0);

/** Returns the last that was tried. */
async function trySlot(steps: Full, phase: string, waitsMs: readonly number[]): Promise<Try | undefined> {
  const last = await openUntilHeld(steps, waitsMs);
  if (last) steps.taken.push({ phase, ...last });
  steps.progress(steps.waves.opened);
  return last;
}

/** Tries must not run into the rate limit instead: where only one is left, it waits as long as all of them would have. */
const waitFor = (waitsMs: readonly number[], index: number, left: number): number =>
  waitsMs.slice(index, left > 1 ? index + 1 : undefined).reduce((sum, ms) => sum + ms, 0);

/**
 * The last of some tries. One that seems to have got the slot may only not have been read yet, and be refused
 * when it is, so the control requests come before that is believed.
 */
async function openUntilHeld(steps: Full, waitsMs: readonly number[]): Promise<Try | undefined> {
  let last: Try | undefined;
  for (const [index] of waitsMs.entries()) {
    const left = room(steps);
    if (left <= 0) break;
    await pause(waitFor(waitsMs, index, left), steps.signal);
    const held = await steps.waves.openOne();
    last = { held, attempts: index + 1, ...(steps.whole ? { alone: true } : {}) };
    if (steps.whole) await finish([held], steps);
    else if (held.held) await steps.control();
    if (steps.whole ? !isRefused(held) : held.held) break;
  }
  return last;
}

/** How often a slot is asked for that is surely free by then. */
const SURE_TRIES = 2;

/**
 * One that has the free slot, where only whole ones are told that they have none: opened when the slot has come back, as
 * long as that took the last time, and the next whole one is refused.
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

const finishAll = (steps: Steps): Promise<void> =>
  finish(
    steps.taken.map(({ held }) => held),
    steps,
  );

/** Sends the last bytes and waits for the answers. */
async function finish(
  requests: readonly HeldRequest[],
  { signal }: Steps,
  patienceMs = ANSWER_PATIENCE_MS,
): Promise<void> {
  for (const one of requests) one.release();
  await withinTime(Promise.all(requests.map((one) => one.settled)), patienceMs, signal);
  for (const one of requests) if (one.outcome === null) one.destroy('timeout');
}
