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
 * What the work returns; it must neither wait nor hold anything that a `finally` gives back, and may be done again.
 * @throws TooMuch when it fails, too long a time and too deep a recursion included
 */
export function bounded(work: () => string): string {
  return within(LONGEST_MS, work);
}

/** The watchdog goes by the clock: on a busy machine work that got less of the processor is done again, with more. */
function within(ms: number, work: () => string): string {
  let made: string | null = null;
  watched.work = () => {
    made = work();
  };
  const before = process.cpuUsage();
  try {
    script.runInContext(watched, { timeout: ms });
  } catch (error) {
    const { user, system } = process.cpuUsage(before);
    const late = error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (late && (user + system) / 1000 < LONGEST_MS / 2) return within(2 * ms, work);
    throw new TooMuch(error instanceof Error ? error.message : 'the work failed');
  }
  return made ?? '';
}
