/**
 * Places the bursts of rate probes that start together: each at a moment of its own, so that none is blurred by another,
 * and as near to one another as that allows: two limits that are both served in full within one window are not counted
 * together (spec 8.2).
 */
import type { RateParameters } from '../probe.ts';
import type { Gang } from '../schedule.ts';
import { PROCESS_MS } from './rate.ts';
import { IDLE_MARGIN_MS, shiftedBy } from './timeline.ts';
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

/** The probe that takes longest is placed first. */
export function stagger(group: readonly RateProbe[]): Gang {
  const together = group.map(({ parameters }) => parameters.operation);
  const earliestMs = ({ parameters }: RateProbe) =>
    parameters.windowMs + IDLE_MARGIN_MS + preparationMs(parameters.operation, together);
  const aloneMs = (probe: RateProbe) => earliestMs(probe) + probe.parameters.untilMs - probe.parameters.burstAtMs;
  const taken: Moment[] = [];
  return [...group]
    .sort((a, b) => aloneMs(b) - aloneMs(a))
    .map((probe) => {
      const atMs = firstFree(probe.parameters, earliestMs(probe), taken);
      const parameters = shiftedBy(probe.parameters, atMs - probe.parameters.burstAtMs);
      taken.push(...momentsOf(parameters));
      return { ...probe, parameters, idle: idleOf(parameters), estimateMs: parameters.untilMs + PROCESS_MS };
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

/**
 * The parts that are sent as fast as can be and surely are large; what comes back later is mostly little. A burst is
 * planned to take half of what it may.
 */
export function momentsOf({ burstAtMs, againAtMs, overAtMs, echoesAtMs, untilMs }: RateParameters): Moment[] {
  const lastsMs = Math.max(LEAST_MOMENT_MS, (untilMs - (echoesAtMs.at(-1) ?? untilMs)) / 2);
  const begins = [burstAtMs, ...(againAtMs === undefined ? [] : [againAtMs]), overAtMs];
  return begins.map((fromMs) => ({ fromMs, untilMs: fromMs + lastsMs }));
}

const LEAST_MOMENT_MS = 100;

/** How long after the common start a probe's idle window may begin. */
function preparationMs(operation: string, together: readonly string[]): number {
  if (looksFirst(operation)) return PREPARATION_MS;
  const othersSubmit = together.some((id) => id === 'status' || id === 'cancel');
  return operation === 'run' && othersSubmit ? OTHERS_SUBMIT_MS : 0;
}
