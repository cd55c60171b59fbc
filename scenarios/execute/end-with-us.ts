/**
 * What is over at the latest when this process is. One listener does it for all: a listener for each k6 would be more
 * than Node takes for sound where many run at once, and it would say so in the middle of our output.
 */
const ends = new Set<() => void>();

const endAll = (): void => {
  for (const end of ends) end();
};

/**
 * Calls `end` when this process exits; it can do nothing then that takes time. The function that is returned takes that
 * back, and calling it again does nothing.
 */
export function endWithUs(end: () => void): () => void {
  // Of its own for each call, so that the same one given twice is two.
  const own = () => end();
  if (ends.size === 0) process.on('exit', endAll);
  ends.add(own);
  return () => {
    if (ends.delete(own) && ends.size === 0) process.removeListener('exit', endAll);
  };
}
