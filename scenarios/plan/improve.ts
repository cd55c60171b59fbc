/**
 * A better order by small steps: whoever ends last is put before others as long as that ends sooner. What keeps a probe
 * waiting are budgets, endpoints and the machine all at once, so no rule of thumb finds the best order of all of them.
 */
import type { ScheduleEntry } from './types.ts';

/** What an order comes to. */
export interface Outcome {
  /** Less is better, ms. */
  readonly endMs: number;
  /** Schedules of that order, one for each course of things that was imagined. */
  readonly courses: readonly (readonly ScheduleEntry[])[];
}

/** Outcomes that are looked at, so that a plan stays a matter of a moment. */
const LOOKS_MOST = 300;

/** @param outcomeOf is asked at most `LOOKS_MOST` times */
export function improved<P extends { readonly id: string }>(
  order: readonly P[],
  outcomeOf: (order: readonly P[]) => Outcome,
): readonly P[] {
  let looks = 1;
  let [best, outcome] = [order, outcomeOf(order)];
  for (const moved of steps()) {
    if (looks === LOOKS_MOST) break;
    looks += 1;
    const next = outcomeOf(moved);
    if (next.endMs < outcome.endMs) [best, outcome] = [moved, next];
  }
  return best;

  /** Begins anew with whoever is last then, whenever a step was better. */
  function* steps(): Generator<readonly P[]> {
    for (let before: readonly P[] | undefined; before !== best; ) {
      before = best;
      yield* stepsFrom(before, lastFirst(before, outcome), () => best === before);
    }
  }
}

function* stepsFrom<P>(order: readonly P[], movers: readonly P[], goOn: () => boolean): Generator<readonly P[]> {
  for (const one of movers) {
    const others = order.filter((other) => other !== one);
    for (let place = 0; place < order.length; place += 1) {
      if (order[place] === one) continue;
      yield [...others.slice(0, place), one, ...others.slice(place)];
      if (!goOn()) return;
    }
  }
}

function lastFirst<P extends { readonly id: string }>(order: readonly P[], { courses }: Outcome): readonly P[] {
  const ends = new Map<string, number>();
  for (const { probeId, endMs } of courses.flat()) ends.set(probeId, (ends.get(probeId) ?? 0) + endMs);
  return [...order].sort((a, b) => (ends.get(b.id) ?? 0) - (ends.get(a.id) ?? 0));
}
