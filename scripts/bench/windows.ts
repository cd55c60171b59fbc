/** Arrivals beside the schedule they were sent by: how many in each window, and how late. Pure arithmetic. */

export interface Schedule {
  /** When the first one is due, ms, on the clock of the arrivals. */
  readonly fromMs: number;
  readonly periodMs: number;
  readonly count: number;
  readonly windowMs: number;
}

export interface PaceSeen {
  /** Of each whole window, what was due and what came. */
  readonly windows: readonly { readonly planned: number; readonly came: number }[];
  /** Behind its moment, ms; negative where it came before it. Sorted. */
  readonly late: Float64Array;
}

/**
 * Windows are cut half a period before a moment something is due at, so that nothing belongs to two of them. The n-th
 * arrival is taken for the n-th request: all are alike, and what overtook another was no later for it.
 */
export function paceSeen(arrivals: readonly number[], { fromMs, periodMs, count, windowMs }: Schedule): PaceSeen {
  const sorted = Float64Array.from(arrivals).sort();
  const perWindow = Math.floor(windowMs / periodMs);
  const windows = Array.from({ length: Math.floor(count / perWindow) }, (_, index) => {
    const opensMs = fromMs + (index * perWindow - 0.5) * periodMs;
    const closesMs = opensMs + perWindow * periodMs;
    return { planned: perWindow, came: sorted.filter((ms) => ms >= opensMs && ms < closesMs).length };
  });
  const late = sorted.map((ms, index) => ms - (fromMs + index * periodMs)).sort();
  return { windows, late };
}
