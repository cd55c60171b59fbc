/** What several runners of one probe left, together: whose part is missing or can't be used, and how well they agree. */
import type { RunnersHealth } from '../../schemas/facts.ts';
import type { RunnerPart } from '../../schemas/ledger-runner.ts';

/**
 * @param parts in any order
 * @param mayBeginMs after the common start, at most, so that all still do at its time what was planned
 */
export function runnersHealth(parts: readonly RunnerPart[], mayBeginMs: number): RunnersHealth | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const isOurs = ({ count, runId, startAtMs }: RunnerPart): boolean =>
    count === first.count && runId === first.runId && startAtMs === first.startAtMs;
  const name = (index: number): string => `runner ${index + 1} of ${first.count}`;
  const own = parts.filter(isOurs);
  const faults: string[] = [];
  if (own.length < parts.length) faults.push(`${parts.length - own.length} ledgers are of another run`);
  for (let index = 0; index < first.count; index += 1) {
    const [one, ...others] = own.filter((part) => part.index === index);
    if (!one) faults.push(`${name(index)} left no ledger`);
    else if (others.length > 0) faults.push(`${name(index)} left ${others.length + 1} ledgers`);
    else if (!one.complete) faults.push(`the ledger of ${name(index)} has no end`);
    else if (one.beganMs > mayBeginMs)
      faults.push(`${name(index)} came ${seconds(one.beganMs - mayBeginMs)} s too late`);
  }
  const began = own.map(({ beganMs }) => beganMs);
  return {
    count: first.count,
    skewMs: Math.round(Math.max(...began) - Math.min(...began)),
    errorMs: Math.round(Math.max(...own.map(({ errorMs }) => errorMs)) * 10) / 10,
    faults,
  };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
