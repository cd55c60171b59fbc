/**
 * Where the numbers of a kind may lie: ranges are halved as long as they are not struck out. As a kind is struck out for a
 * whole range only when no number in it will do, nothing true is lost, however coarsely the search begins.
 */

/** Cells of one axis, `from` included and `to` not. */
export interface Cells {
  readonly from: number;
  readonly to: number;
}

/** A range of cells of each axis, and what may be there. */
export interface Found<B> {
  readonly cells: readonly Cells[];
  readonly bounds: B;
}

/**
 * @param axes how many cells each has
 * @param mayBe what may be in these cells together; null when nothing may
 * @param most ranges that are looked at; those that are open then count as possible
 * @param wanted how many places are enough; default: all
 */
export function search<B>(
  axes: readonly Cells[],
  mayBe: (cells: readonly Cells[]) => B | null,
  most: number,
  wanted = Number.POSITIVE_INFINITY,
): readonly Found<B>[] {
  const found: Found<B>[] = [];
  const open: (readonly Cells[])[] = [axes];
  for (let looked = 0; open.length > 0 && found.length < wanted; looked += 1) {
    const cells = open.pop() as readonly Cells[];
    const bounds = mayBe(cells);
    if (bounds === null) continue;
    const widest = cells.reduce((best, one, index) => (lengthOf(one) > lengthOf(cells[best] ?? one) ? index : best), 0);
    const axis = cells[widest];
    if (!axis || lengthOf(axis) <= 1 || looked >= most) {
      found.push({ cells, bounds });
      continue;
    }
    const middle = Math.floor((axis.from + axis.to) / 2);
    const part = (one: Cells) => cells.map((own, index) => (index === widest ? one : own));
    open.push(part({ from: middle, to: axis.to }), part({ from: axis.from, to: middle }));
  }
  return found;
}

const lengthOf = ({ from, to }: Cells): number => to - from;
