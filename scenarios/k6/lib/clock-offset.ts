/** How the clock of a runner stands to the common one, from questions that were under way for some time. Pure. */

/** The common clock was at `isMs` at some moment within, by the own clock. */
export interface Reading {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isMs: number;
}

/** An answer with the second in which it was made, by the common clock. */
export interface Dated extends Omit<Reading, 'isMs'> {
  readonly secondMs: number;
}

/** Between two answers of different seconds the later one began. */
export function edgesOf(answers: readonly Dated[]): Reading[] {
  return answers.flatMap(({ toMs, secondMs }, index) => {
    const before = answers[index - 1];
    return before && secondMs > before.secondMs ? [{ fromMs: before.fromMs, toMs, isMs: secondMs }] : [];
  });
}

/**
 * Common clock minus own clock, and how far that may be off, ms. The more questions, the better: the truth lies within all
 * of them. Where they contradict one another, as the one clock gains on the other, it lies somewhere in what they span.
 */
export function clockOffset(readings: readonly Reading[]): { readonly offsetMs: number; readonly errorMs: number } {
  const known = readings.filter(({ isMs }) => Number.isFinite(isMs) && isMs > 0);
  const least = Math.max(...known.map(({ isMs, toMs }) => isMs - toMs));
  const most = Math.min(...known.map(({ isMs, fromMs }) => isMs - fromMs));
  return { offsetMs: (least + most) / 2, errorMs: Math.abs(most - least) / 2 };
}
