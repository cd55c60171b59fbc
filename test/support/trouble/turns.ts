/** Scenes that run beside one another, but only so many: of more each would be in the trouble that the others make. */

/** Whoever comes when all places are taken waits for the next that is free. */
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
