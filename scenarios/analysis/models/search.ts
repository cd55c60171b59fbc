/**
 * The search for the point of a space that is nearest to what was seen: the best of a grid, or of points that what was
 * seen leads to, and from those on in ever smaller steps.
 */

/** The first one of a space is the length of the window. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
}

export interface Space {
  readonly axes: readonly Axis[];
  /** Points to begin with in place of a grid, which lie closer together. */
  readonly seeds?: readonly (readonly number[])[];
}

export interface Look {
  readonly point: readonly number[];
  /** From what was seen. */
  readonly distance: number;
}

const REFINEMENTS = 9;
const SEEDS = 6;
/** So near that it can't matter how much nearer it would get, and so far off that no step of the grid accounts for it. */
const NEAR_ENOUGH = 0.05;
const HOPELESS = 25;
/** Of the steps of a grid: what seeds lie apart, and others that a nearest point leads to. */
const FINE = 1 / 4;

/** The nearest points: of each window, where windows are looked for, since some far from one another explain the same. */
export function nearestOf(space: Space, lookAt: (point: readonly number[]) => Look): readonly Look[] {
  const { axes, seeds } = space;
  const strides = axes.map(({ from, to, steps }) => (to - from) / steps / 2);
  const fine = strides.map((stride) => stride * FINE);
  if (seeds) return refined(bestOf(seeds.map(lookAt), axes), fine, lookAt, true);
  const first = refined(bestOf(grid(axes).map(lookAt), axes), strides, lookAt, looksForWindow(axes));
  return [...first, ...refined(aliasesOf(axes, first.reduce(nearer)).map(lookAt), fine, lookAt, true)];
}

/** @param all whether every one is of interest, and not only the nearest */
function refined(
  seeds: readonly Look[],
  strides: readonly number[],
  lookAt: (point: readonly number[]) => Look,
  all: boolean,
): readonly Look[] {
  let [looks, steps] = [seeds, strides];
  const goesOn = () => (all ? looks.some(worthwhile) : worthwhile(looks.reduce(nearer)));
  for (let round = 0; round < REFINEMENTS && goesOn(); round += 1) {
    looks = looks.map((seed) =>
      worthwhile(seed) ? [seed, ...neighbours(seed.point, steps).map(lookAt)].reduce(nearer) : seed,
    );
    steps = steps.map((stride) => stride / 1.6);
  }
  return looks;
}

/** So many windows may lie between the first boundary that was seen and the last. */
const WINDOWS_BETWEEN = [1, 2, 3, 4, 5, 6];

/**
 * Where a few boundaries are all that was seen, they lie as far apart with windows that go into that span another whole
 * number of times.
 */
function aliasesOf(
  [length, boundary]: readonly Axis[],
  { point: [windowMs = 0, atMs = 0], distance: far }: Look,
): number[][] {
  if (!length || !boundary || length.steps === 1 || far > 1) return [];
  const shares = WINDOWS_BETWEEN.flatMap((some) => WINDOWS_BETWEEN.map((others) => some / others));
  return [...new Set(shares)]
    .map((share) => share * windowMs)
    .filter((ms) => ms !== windowMs && ms >= length.from && ms <= length.to)
    .map((ms) => [ms, atMs]);
}

export const nearer = (one: Look, other: Look): Look => (other.distance < one.distance ? other : one);
export const windowOf = ({ point: [windowMs = 0] }: Look): number => windowMs;

function bestOf(looks: readonly Look[], axes: readonly Axis[]): readonly Look[] {
  const byWindow = new Map<number, Look>();
  if (looksForWindow(axes))
    for (const look of looks) {
      const before = byWindow.get(windowOf(look));
      byWindow.set(windowOf(look), before ? nearer(before, look) : look);
    }
  const found = looksForWindow(axes) ? [...byWindow.values()] : [...looks];
  return found.sort((a, b) => a.distance - b.distance).slice(0, SEEDS);
}

const looksForWindow = ([length]: readonly Axis[]): boolean => length !== undefined && length.steps > 1;

const worthwhile = ({ distance: far }: Look): boolean => far > NEAR_ENOUGH && far < HOPELESS;

function grid(axes: readonly Axis[]): number[][] {
  return axes.reduce<number[][]>(
    (points, { from, to, steps }) =>
      points.flatMap((point) =>
        Array.from({ length: steps }, (_, step) => [...point, from + ((to - from) * (step + 0.5)) / steps]),
      ),
    [[]],
  );
}

function neighbours(point: readonly number[], strides: readonly number[]): number[][] {
  return strides.flatMap((stride, axis) =>
    stride === 0
      ? []
      : [-1, 1].map((sign) => point.map((value, index) => (index === axis ? value + sign * stride : value))),
  );
}
