/**
 * Finds the largest accepted body to the byte. Pure: from the outcomes of the sizes tried so far, it names the next
 * one. The two readings of a documented size are tried first, then their neighbours, because a border is nearly always
 * at one of them and each step costs a large upload; only then is the rest halved.
 */

export type Fate = 'accepted' | 'refused' | 'unknown';

export interface Attempt {
  readonly bytes: number;
  readonly fate: Fate;
}

export interface Sizes {
  /** Accepted by every reading of the documented size. */
  readonly acceptBytes: number;
  /** Refused by every reading. */
  readonly refuseBytes: number;
  /** Smallest and largest size to try. */
  readonly floorBytes: number;
  readonly capBytes: number;
  /** Where the border is likely to be, for it was found there in another way: tried before anything is halved. */
  readonly guessBytes?: number | null;
}

/** The most sizes that are ever tried. */
export const MOST_ATTEMPTS = 50;

/**
 * The next size in bytes; null when the border is known, lies outside `floorBytes`..`capBytes`, or cannot be found:
 * the last answer was neither an acceptance nor a refusal, or a larger body was accepted than a refused one.
 */
export function nextSize(attempts: readonly Attempt[], sizes: Sizes): number | null {
  const last = attempts[attempts.length - 1];
  if (attempts.length >= MOST_ATTEMPTS || last?.fate === 'unknown') return null;
  const documented = [sizes.floorBytes, sizes.acceptBytes, sizes.refuseBytes];
  const untried = documented.find((bytes) => !attempts.some((one) => one.bytes === bytes));
  const { accepted, refused } = border(attempts);
  if (refused === sizes.floorBytes) return null;
  if (untried !== undefined) return untried;
  const guess = guessed(attempts, sizes);
  if (guess !== null) return guess;
  if (refused === null) return beyond(accepted ?? sizes.refuseBytes, sizes.capBytes);
  if (accepted === null || accepted + 1 >= refused) return null;
  const middle = Math.floor((accepted + refused) / 2);
  if (accepted !== sizes.acceptBytes || refused !== sizes.refuseBytes)
    return likely(accepted, refused, sizes) ?? middle;
  return accepted + 1;
}

/** Largest accepted and smallest refused size so far; null where there is none. */
export function border(attempts: readonly Attempt[]): { accepted: number | null; refused: number | null } {
  const of = (fate: Fate) => attempts.filter((one) => one.fate === fate).map((one) => one.bytes);
  const [accepted, refused] = [of('accepted'), of('refused')];
  return {
    accepted: accepted.length ? accepted.reduce((a, b) => Math.max(a, b)) : null,
    refused: refused.length ? refused.reduce((a, b) => Math.min(a, b)) : null,
  };
}

/** Once the byte above the smaller reading is accepted, the byte below the larger one is next. */
function likely(accepted: number, refused: number, { acceptBytes, refuseBytes }: Sizes): number | null {
  return accepted === acceptBytes + 1 && refused === refuseBytes ? refuseBytes - 1 : null;
}

/** The guess and its neighbour, where the border can still be there. */
function guessed(attempts: readonly Attempt[], { floorBytes, capBytes, guessBytes }: Sizes): number | null {
  if (guessBytes === undefined || guessBytes === null) return null;
  const { accepted, refused } = border(attempts);
  const open = (bytes: number) =>
    bytes > Math.max(accepted ?? 0, floorBytes - 1) && bytes < Math.min(refused ?? Infinity, capBytes + 1);
  return [guessBytes, guessBytes + 1].find(open) ?? null;
}

function beyond(bytes: number, cap: number): number | null {
  return bytes < cap ? Math.min(cap, bytes * 2) : null;
}
