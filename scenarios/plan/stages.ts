/**
 * In which order probes start, and which together. Rate probes start together, as many as can, with their bursts one
 * after the other: each then waits through its idle window, its recovery and its pace beside the others.
 */
import type { Probe, RateParameters } from '../probe.ts';
import { conflict, type Gang } from '../schedule.ts';
import { PROCESS_MS } from './rate.ts';
import { IDLE_MARGIN_MS, lastSentMs, shiftedBy } from './timeline.ts';
import type { PlannedProbe } from './types.ts';

/** A probe of `status` looks at a job of its own before its idle window begins; it needs a moment for that, ms. */
const PREPARATION_MS = 2000;
/**
 * The probes of `status` and `cancel` submit one job each when they start. In the window before the burst of `run`
 * it would be one request too many, so that burst keeps more than a window away from the common start, ms.
 */
const OTHERS_SUBMIT_MS = 5000;

/**
 * Everything that is short or waits for nothing comes first; the rate probes follow, since their idle windows have to
 * begin after the last request that any other probe spends on their budget.
 */
export function arrange(probes: readonly PlannedProbe[]): Gang[] {
  const rates = probes.filter(isRate).sort((a, b) => burstOrder(a) - burstOrder(b));
  const others = probes.filter((probe) => !isRate(probe)).sort((a, b) => turn(a) - turn(b));
  return [...others.map((probe) => [probe]), ...groups(rates).map(stagger)];
}

/** Those that stand in the way of most others start first; the rest fills the gaps. */
function turn({ parameters }: PlannedProbe): number {
  const order = ['held-body', 'queue', 'long-poll', 'payload', 'unlimited'];
  return order.indexOf(parameters.kind === 'concurrency' ? parameters.technique : parameters.kind);
}

type RateProbe = PlannedProbe & { readonly parameters: RateParameters };

export function isRate<P extends Probe>(probe: P): probe is P & { readonly parameters: RateParameters } {
  return probe.parameters.kind === 'rate';
}

/** Small bursts first, `run` last: see OTHERS_SUBMIT_MS. */
const burstOrder = ({ parameters }: RateProbe): number =>
  parameters.operation === 'run' ? Number.POSITIVE_INFINITY : parameters.limit;

/** First fit: each probe joins the first group in which it disturbs nobody. */
function groups(rates: readonly RateProbe[]): RateProbe[][] {
  const made: RateProbe[][] = [];
  for (const probe of rates) {
    const fitting = made.find((group) => group.every((other) => !conflict(probe, other)));
    if (fitting) fitting.push(probe);
    else made.push([probe]);
  }
  return made;
}

/** Places each burst behind the one before it has been answered, all in one idle window's wake. */
function stagger(group: readonly RateProbe[]): Gang {
  const ids = group.map(({ parameters }) => parameters.operation);
  let freeFromMs = 0;
  return group.map((probe) => {
    const { operation, windowMs } = probe.parameters;
    const idleMs = windowMs + IDLE_MARGIN_MS + preparationMs(operation, ids);
    const placed = shiftedBy(probe.parameters, Math.max(idleMs, freeFromMs) - probe.parameters.burstAtMs);
    freeFromMs = placed.recovery.fromMs;
    return { ...probe, parameters: placed, estimateMs: Math.ceil(lastSentMs(placed)) + PROCESS_MS };
  });
}

/** Also for a second burst: how long after the common start a probe's idle window may begin. */
export function preparationMs(operation: string, together: readonly string[]): number {
  if (operation === 'status') return PREPARATION_MS;
  const othersSubmit = together.some((id) => id === 'status' || id === 'cancel');
  return operation === 'run' && othersSubmit ? OTHERS_SUBMIT_MS : 0;
}
