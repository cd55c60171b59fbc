/**
 * What a client's schema may cost. References that fan out, alternatives that fail late and regular expressions that
 * backtrack make a few hundred bytes into hours of work, and nothing but a watchdog ends a regular expression.
 */
import { createContext, Script } from 'node:vm';

const LONGEST_MS = 500;

/** Thrown where the work is too much. */
export class TooMuch extends Error {}

const watched = createContext({ work: (): void => undefined });
const script = new Script('work()');

/**
 * What the work returns; it must neither wait nor hold anything that a `finally` gives back.
 * @throws TooMuch when it fails, too long a time and too deep a recursion included
 */
export function bounded(work: () => string): string {
  let made: string | null = null;
  watched.work = () => {
    made = work();
  };
  try {
    script.runInContext(watched, { timeout: LONGEST_MS });
  } catch (error) {
    throw new TooMuch(error instanceof Error ? error.message : 'the work failed');
  }
  return made ?? '';
}
