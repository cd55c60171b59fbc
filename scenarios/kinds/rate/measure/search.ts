/**
 * Where the numbers of a kind may lie: ranges are halved as long as they are not struck out. As a kind is struck out for a
 * whole range only when no number in it will do, nothing true is lost, however coarsely the search begins.
 */
import type { Bounds } from '../../../../schemas/rate-facts.ts';
import type { Numbers, Range } from './kind.ts';

/** Ranges that are looked at for one kind: far more than it takes where what was seen says anything. */
const MOST_LOOKS = 20_000;

/** Numbers, and which values the limit may have with them. */
export interface Place {
  readonly at: Numbers;
  readonly value: Bounds;
}

/**
 * @param steps how many of the least steps of its numbers a range has; down to one it is halved
 * @param wanted how many places are enough; default: all
 */
export function search(
  whole: Numbers,
  steps: Readonly<Record<keyof Numbers, (range: Range) => number>>,
  valueAt: (at: Numbers) => Bounds | null,
  wanted = Number.POSITIVE_INFINITY,
): readonly Place[] {
  const found: Place[] = [];
  const open = [whole];
  for (let looked = 0; open.length > 0 && found.length < wanted; looked += 1) {
    const at = open.pop() as Numbers;
    const value = valueAt(at);
    if (value === null) continue;
    const stepsOf = (number: keyof Numbers): number => steps[number](at[number]);
    const widest = NUMBERS.reduce((best, one) => (stepsOf(one) > stepsOf(best) ? one : best));
    if (stepsOf(widest) <= 1 || looked >= MOST_LOOKS) {
      found.push({ at, value });
      continue;
    }
    const { from, to } = at[widest];
    const middle = (from + to) / 2;
    open.push({ ...at, [widest]: { from: middle, to } }, { ...at, [widest]: { from, to: middle } });
  }
  return found;
}

const NUMBERS: readonly (keyof Numbers)[] = ['windowMs', 'phase', 'pauseMs', 'step'];
