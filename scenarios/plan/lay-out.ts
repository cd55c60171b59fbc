/**
 * Probes put into their order: when each runs, and what all of them cost. The same for a whole plan and a part of one.
 * What keeps a probe waiting are budgets, endpoints and the machine all at once, so no rule of thumb finds the best order:
 * from a few good ones on, one probe at a time is put elsewhere, and stays there unless that ends much later.
 */
import type { LimitTable } from '../../schemas/limits.ts';
import { seeded } from '../../schemas/seeded.ts';
import { areRelated, type Placed, placeInOrder, type Sent } from '../schedule.ts';
import { totalOf } from './counts.ts';
import { floorOf } from './floor.ts';
import type { LoadPlan, PlannedProbe, Spending } from './types.ts';

type LaidOut = Pick<LoadPlan, 'probes' | 'schedule' | 'requests' | 'bytes' | 'durationMs' | 'floorMs'>;

export interface Arranging {
  /** What was sent right before; times are negative or 0. */
  readonly before?: readonly Sent[] | undefined;
  /** How many orders are tried; default: as many as take a moment. */
  readonly looks?: number | undefined;
}

const LOOKS = 400;
/** How much later an order may end than the one before it, at first and as a rule, ms. */
const WORSE_MS = 1000;
/** The same order for the same question: a plan is not another one each time. */
const SEED = 1;

export function layOut(
  planned: readonly PlannedProbe[],
  table: LimitTable,
  { before = [], looks = LOOKS }: Arranging = {},
): LaidOut {
  const place = (order: readonly PlannedProbe[]): Placed[] =>
    placeInOrder(order, { placed: [], before, table, beganMs: 0 }, 0);
  const rates = planned.filter(isRate).sort((a, b) => lastsFrom(b) - lastsFrom(a));
  const others = planned.filter((probe) => !isRate(probe));
  const conflicts = (probe: PlannedProbe): number =>
    others.reduce((sum, other) => sum + (areRelated(probe, other) ? other.estimateMs : 0), 0);
  const orders = [
    others,
    others.toSorted((a, b) => b.estimateMs - a.estimateMs),
    others.toSorted((a, b) => conflicts(b) - conflicts(a)),
  ].map((order) => [...order, ...rates]);
  const random = seeded(SEED);
  const below = (count: number): number => Math.floor(random() * count);
  const cost = (order: readonly PlannedProbe[]) => ({ order, costMs: costOf(place(order)) });
  let here = orders.map(cost).reduce((least, one) => (one.costMs < least.costMs ? one : least));
  let best = here;
  for (let look = orders.length; look < looks; look += 1) {
    const next = cost(moved(here.order, below(others.length), below(others.length), others.length));
    // Steps that are each for the better end early, so less and less is put up with meanwhile.
    const worseMs = (1 - look / looks) * WORSE_MS * -Math.log(1 - random());
    if (next.costMs <= here.costMs + worseMs) here = next;
    if (here.costMs < best.costMs) best = here;
  }
  const placed = place(best.order).sort((a, b) => a.startMs - b.startMs);
  return {
    probes: best.order,
    schedule: placed.map(({ probe, startMs, endMs }) => ({ probeId: probe.id, startMs, endMs })),
    requests: totalOf(planned, 'requests'),
    bytes: totalOf(planned, 'bytes'),
    durationMs: lastEndOf(placed),
    floorMs: floorOf(planned, table),
  };
}

export const isRate = ({ parameters }: PlannedProbe): boolean => parameters.kind === 'rate';

/** From its burst on. */
const lastsFrom = ({ parameters, estimateMs }: PlannedProbe): number =>
  parameters.kind === 'rate' ? estimateMs - parameters.burstAtMs : estimateMs;

/** When all is over; of those that are over together the one whose rate probes, which wait for budgets, are over sooner. */
function costOf(placed: readonly Placed[]): number {
  const ends = placed.filter(({ probe }) => isRate(probe)).map(({ endMs }) => endMs);
  const meanMs = ends.reduce((sum, endMs) => sum + endMs, 0) / Math.max(1, ends.length);
  return lastEndOf(placed) + SOONER_SHARE * meanMs;
}

const SOONER_SHARE = 0.1;

const lastEndOf = (placed: readonly Placed[]): number => placed.reduce((last, { endMs }) => Math.max(last, endMs), 0);

/** Of the first ones one is put elsewhere among them. */
function moved<P>(all: readonly P[], from: number, to: number, among: number): P[] {
  const rest = all.slice(0, among).filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...all.slice(from, from + 1), ...rest.slice(to), ...all.slice(among)];
}

/** The same plan in an order that is better after what was really sent right before. */
export function arrangedAfter(
  plan: LoadPlan,
  spentBefore: readonly { readonly agoMs: number; readonly spends: Spending }[],
): LoadPlan {
  const before = spentBefore.map(({ agoMs, spends }) => ({ spends, endMs: -agoMs }));
  return { ...plan, ...layOut(plan.probes, plan.table, { before }) };
}
