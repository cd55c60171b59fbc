/** Scenes that run side by side, but only so many: more of them would disturb one another. */

/** A call that finds all places taken waits for the next free one. */
export function inTurns(places: number): <T>(act: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
