/**
 * Places the bursts of rate probes that start together: each at a moment of its own, so that none is blurred by another,
 * and such that of any two budgets one is asked while the other is exhausted, which shows whether they are counted
 * together (spec 8.2).
 */
import type { RateParameters } from '../probe.ts';
import type { Gang } from '../schedule.ts';
import { PROCESS_MS } from './rate.ts';
import { IDLE_MARGIN_MS, lastSentMs, shiftedBy } from './timeline.ts';
import type { IdleWindow, PlannedProbe } from './types.ts';

export type RateProbe = PlannedProbe & { readonly parameters: RateParameters };

/** It looks at a job of its own before its idle window begins, and needs a moment for that, ms. */
const looksFirst = (operation: string): boolean => operation === 'status';
const PREPARATION_MS = 2000;
/**
 * The probes of `status` and `cancel` submit one job each when they start. In the window before the burst of `run`
 * it would be one request too many, so that burst keeps more than a window away from the common start, ms.
 */
const OTHERS_SUBMIT_MS = 5000;

/** When a probe sends as much at once as it can, ms. */
interface Moment {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Gives each burst a moment of its own, and what goes beyond it another: one may come while another probe pauses in
 * between. Whoever has the longest way to go after its burst chooses first, and others are moved as long as more budgets
 * are told apart then, or as many and all end sooner.
 */
export function stagger(group: readonly RateProbe[]): Gang {
  const together = group.map(({ parameters }) => parameters.operation);
  const earliestMs = ({ parameters }: RateProbe) =>
    parameters.windowMs + IDLE_MARGIN_MS + preparationMs(parameters.operation, together);
  const aloneMs = (probe: RateProbe) => earliestMs(probe) + lastSentMs(probe.parameters) - probe.parameters.burstAtMs;
  const usual = [...group].sort((a, b) => aloneMs(b) - aloneMs(a));
  const placed = (order: readonly RateProbe[]): Placed => {
    const gang = place(order, earliestMs);
    return { order, gang, untold: untold(gang), endMs: Math.max(...gang.map(({ estimateMs }) => estimateMs)) };
  };
  for (let best = placed(usual); ; ) {
    const { order } = best;
    const moved = order.flatMap((probe) => order.map((_, index) => placed(movedTo(index, probe, order))));
    const better = moved.reduce((least, one) => (isBetter(one, least) ? one : least), best);
    if (better === best) return best.gang;
    best = better;
  }
}

interface Placed {
  readonly order: readonly RateProbe[];
  readonly gang: readonly RateProbe[];
  readonly untold: number;
  readonly endMs: number;
}

const isBetter = (one: Placed, other: Placed): boolean =>
  one.untold < other.untold || (one.untold === other.untold && one.endMs < other.endMs);

/** How many pairs of budgets nothing is to be known of. */
export function untold(gang: readonly RateProbe[]): number {
  const pairs = gang.flatMap((one, index) => gang.slice(index + 1).map((other) => [one.parameters, other.parameters]));
  return pairs.filter(([one, other]) => one && other && !isAsked(one, other) && !isAsked(other, one)).length;
}

/** For less than this the answers of two processes, each late in its own way, might miss each other, ms. */
const TOLD_LEAST_MS = 250;

/** Whether the other one is expected to be served while this one is exhausted, on a target that keeps a log. */
function isAsked({ overAtMs, burstAtMs, windowMs }: RateParameters, other: RateParameters): boolean {
  const [fromMs, untilMs] = [overAtMs + TOLD_LEAST_MS, burstAtMs + windowMs - TOLD_LEAST_MS];
  const meets = (one: Moment): boolean => Math.min(untilMs, one.untilMs) - Math.max(fromMs, one.fromMs) > 0;
  const { recovery, pace } = other;
  const back = { fromMs: other.burstAtMs + other.windowMs + TOLD_LEAST_MS, untilMs: recovery.untilMs };
  // Of a burst the first requests are enough, wherever in the spell they come.
  const begins = other.burstAtMs > fromMs && other.burstAtMs < untilMs;
  return begins || meets(back) || meets(pace);
}

function movedTo<T>(index: number, one: T, all: readonly T[]): T[] {
  const others = all.filter((other) => other !== one);
  return [...others.slice(0, index), one, ...others.slice(index)];
}

function place(probes: readonly RateProbe[], earliestMs: (probe: RateProbe) => number): RateProbe[] {
  const taken: Moment[] = [];
  return probes.map((probe) => {
    const atMs = firstFree(probe.parameters, earliestMs(probe), taken);
    const parameters = shiftedBy(probe.parameters, atMs - probe.parameters.burstAtMs);
    taken.push(...momentsOf(parameters));
    const estimateMs = Math.ceil(lastSentMs(parameters)) + PROCESS_MS;
    return { ...probe, parameters, idle: idleOf(parameters), estimateMs };
  });
}

/** Before a burst its connections are opened, and nothing else should keep the machine busy then, ms. */
const BEFORE_BURST_MS = 2000;

function idleOf({ operation, burstAtMs, windowMs }: RateParameters): IdleWindow {
  const unspentMs = Math.max(0, burstAtMs - windowMs - IDLE_MARGIN_MS);
  return {
    // What looks at a job of its own at first must not be refused then.
    spentMs: looksFirst(operation) ? 0 : unspentMs,
    loudMs: Math.max(0, burstAtMs - BEFORE_BURST_MS),
  };
}

/** The first time for a burst, no earlier than `earliestMs`, at which neither part of it meets what is taken. */
function firstFree(parameters: RateParameters, earliestMs: number, taken: readonly Moment[]): number {
  const moved = (atMs: number) => momentsOf(shiftedBy(parameters, atMs - parameters.burstAtMs));
  const free = (atMs: number) =>
    moved(atMs).every((own) => taken.every((one) => own.untilMs <= one.fromMs || one.untilMs <= own.fromMs));
  const behind = moved(0).flatMap((own) => taken.map((one) => one.untilMs - own.fromMs));
  const candidates = [earliestMs, ...behind].filter((atMs) => atMs >= earliestMs).sort((a, b) => a - b);
  return candidates.find(free) ?? earliestMs;
}

/** The pause after a burst is several times as long as the burst is expected to take, or else hardly longer. */
const BURST_SHARE_OF_PAUSE = 0.5;
const LONG_PAUSE_WINDOWS = 1 / 3;

/** The burst, and what goes beyond it. */
export function momentsOf({ burstAtMs, overAtMs, recovery, windowMs }: RateParameters): Moment[] {
  const pauseMs = overAtMs - burstAtMs;
  const lastsMs = pauseMs < windowMs * LONG_PAUSE_WINDOWS ? pauseMs * BURST_SHARE_OF_PAUSE : pauseMs;
  return [
    { fromMs: burstAtMs, untilMs: burstAtMs + lastsMs },
    { fromMs: overAtMs, untilMs: recovery.fromMs },
  ];
}

/** Also for a second burst: how long after the common start a probe's idle window may begin. */
export function preparationMs(operation: string, together: readonly string[]): number {
  if (looksFirst(operation)) return PREPARATION_MS;
  const othersSubmit = together.some((id) => id === 'status' || id === 'cancel');
  return operation === 'run' && othersSubmit ? OTHERS_SUBMIT_MS : 0;
}
