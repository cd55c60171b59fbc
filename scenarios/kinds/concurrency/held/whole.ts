/**
 * Whole requests, where held ones show nothing: the target does not wait for a body, counts a request from the end of
 * its body on, or frees a slot while the body is still missing.
 */
import { isSubmitting } from '../../../../schemas/operations.ts';
import { isSuccess } from '../../../../schemas/status.ts';
import { pause } from '../../../execute/stopwatch.ts';
import type { HeldRequest } from './request.ts';
import {
  ALONE_PATIENCE_MS,
  DROPPED,
  finish,
  isRefused,
  room,
  type Steps,
  type Taken,
  type Try,
  tryUntil,
  wave,
} from './steps.ts';

/** What was sent before the waves, and stays as it is. */
const BEFORE = ['scout', 'elsewhere-alone'];

/**
 * Nothing can be held. Whole requests that are sent at the same moment meet as long as their answers take.
 * @param ifTelling they take the place of the held ones only where they show more; default: in any case
 */
export async function wholeAtOnce(steps: Steps, ifTelling = false): Promise<void> {
  const { parameters, waves, taken, signal } = steps;
  const { limit, extra, holdMs } = parameters;
  const before = taken.map(({ held }) => held);
  await finishAll(steps);
  // A target may take its time to give their slots back.
  await pause(holdMs, signal);
  const tookMs = answerMs(taken);
  const isQuick = tookMs > 0 && tookMs < LATE_TIMES * ((await waves.timeAnswer()) ?? 0);
  const within = await wave(steps, 'within', Math.min(limit, room(steps)), { whole: true });
  // So long that a refusal has come, which those beyond must not explain, and that all are still there.
  if (!isQuick) {
    await waves.timeAnswer();
    await pause(REFUSED_WITHIN_SHARE * tookMs, signal);
  }
  const beyond = isQuick ? [] : await wave(steps, 'beyond', Math.min(extra, room(steps)), { whole: true });
  const whole = [...within, ...beyond];
  const allThere = (await steps.control()) && whole.every(({ held }) => held);
  await finishAll(steps);
  const met = !isQuick && (allThere || whole.some(isRefused));
  const further = met ? [] : await oneMoment(steps);
  const sent = [...whole, ...further];
  const isReported = !ifTelling || allThere || sent.some(isRefused);
  for (const [at, one] of taken.entries()) {
    const counts = BEFORE.includes(one.phase) || !(isReported ? before : sent).includes(one.held);
    if (!counts) taken[at] = { ...one, phase: 'trial' };
  }
  if (!isReported || !met) return;
  // What refused for all until now, and not any more, refused for the slots.
  await waves.timeAnswer();
  if (!beyond.every(isRefused)) return;
  const slots = within.filter((one) => !isRefused(one)).length;
  // Where the rate limit has room for one of both, the second time is for those after an abort, which show both.
  const hasRoom = room(steps) > 2 * slots;
  if (hasRoom || !parameters.isRetry) await takeAllAgain(steps, 'after-free', slots, steps.tries.freeMs);
  if (await abortWhole(steps)) await takeAllAgain(steps, 'after-abort', slots, steps.tries.abortMs);
}

/**
 * More than both waves in one, where answers came too soon for them to meet: of what arrives at the same moment enough may
 * meet all the same, and a refusal then shows that there is a limit.
 */
async function oneMoment(steps: Steps): Promise<readonly HeldRequest[]> {
  const { limit, extra } = steps.parameters;
  const sent = await wave(steps, 'further', Math.min(2 * limit + extra, room(steps)), { whole: true });
  await finishAll(steps);
  return sent;
}

const finishAll = (steps: Steps): Promise<void> =>
  finish(
    steps.taken.map(({ held }) => held),
    steps,
  );

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
  let last: Try[] = [];
  await tryUntil(steps, waitsMs, slots, async (attempts) => {
    const all = await steps.waves.open(slots, { whole: true });
    await finish(all, steps);
    last = all.map((held) => ({ held, whole: true, attempts }));
    return !all.some(isRefused);
  });
  steps.taken.push(...last.map((one) => ({ phase, ...one })));
}

/** Whether it was surely there when it was aborted. */
async function abortWhole({ waves, taken, control }: Steps): Promise<boolean> {
  const [victim] = await waves.open(1, { whole: true });
  if (!victim || !(await control()) || !victim.held) return false;
  taken.push({ phase: 'aborted', held: victim });
  victim.destroy(DROPPED);
  return true;
}

/** So many times what the slowest of the requests took that are answered at once: an answer that takes its time. */
const LATE_TIMES = 2;

/** The first one may take its time only because it is the first. */
const WHOLE_TRIES = 2;

/**
 * Some read a body to its end before they respond with a refusal, as servers in Go do: held back, such a request seems
 * to have got a slot. Others count a request from the end of its body on, or free its slot while the body is still
 * missing. So a whole one is sent while all the others are held.
 */
export async function sendWhole(steps: Steps): Promise<'refused' | 'late' | undefined> {
  const { waves, taken } = steps;
  for (let tried = 0; tried < WHOLE_TRIES; tried += 1) {
    // Where nothing else is answered either, it would say nothing; and while it is there, nothing else may take a slot.
    if (room(steps) <= 0 || !waves.allWritten || !(await steps.control())) return undefined;
    const one = waves.sendFirst();
    await finish([one], steps, ALONE_PATIENCE_MS);
    const refused = isRefused(one);
    taken.push({ phase: refused ? 'beyond' : 'trial', held: one, alone: true });
    if (refused) return 'refused';
    const atOnceMs = isSubmitting(one.operation) ? null : await waves.timeAnswer();
    if (atOnceMs === null || !isLate(one, atOnceMs)) return undefined;
  }
  return 'late';
}

function isLate({ outcome }: HeldRequest, atOnceMs: number): boolean {
  const { status = 0, sentMs = 0, firstByteMs = 0 } = outcome ?? {};
  return status !== 0 && firstByteMs - sentMs >= LATE_TIMES * atOnceMs;
}
